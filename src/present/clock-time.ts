/**
 * A clock's seconds for reading: three significant digits, in ms below a second ('24.1 ms', '1.24 s', '12.5 min'),
 * hours and minutes from an hour on ('2 h 47 min').
 */
export function clockTime(seconds: number): string {
  if (Number.isNaN(seconds)) return 'not a number';
  if (seconds === Infinity) return 'unbounded';
  if (seconds < 0) return `-${clockTime(-seconds)}`;
  // Rounding first: 999.7 ms is 1.00 s, not 1000 ms.
  const milliseconds = Number((seconds * 1e3).toPrecision(3));
  if (milliseconds < 1000) return `${digits(milliseconds)} ms`;
  if (seconds < 600) return `${digits(seconds)} s`;
  const minutes = Number((seconds / 60).toPrecision(3));
  return minutes < 60 ? `${digits(minutes)} min` : hours(seconds);
}

/** Minutes stand beside hours as long as they are among the first three digits or so. */
function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 100 * 60
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${grouped(Math.round(seconds / 3600))} h`;
}

/** Three significant digits without an exponent; whole numbers from 1000 on keep all digits. */
export function digits(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(3));
  if (Math.abs(rounded) >= 1000) return grouped(Math.round(value));
  if (Math.abs(rounded) < 1e-3) return rounded.toExponential(2);
  return rounded.toPrecision(3);
}

/** Thousands apart by a comma: 131,072. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A share as people say it: '71 %', '0.4 %', 'under 0.1 %'. */
export function percent(share: number): string {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (Math.abs(value) < 0.1) return 'under 0.1 %';
  return `${Math.abs(value) < 1 ? value.toFixed(1) : value.toFixed(0)} %`;
}

/** '+12 %', '−40 %', '±0 %', '13 times'. */
export function changeWords(share: number): string {
  if (Math.abs(share) < 0.005) return '±0 %';
  if (share >= 9) return `${digits(share + 1)} times`;
  return `${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`;
}
