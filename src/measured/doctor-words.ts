/** Seconds in a sentence: '24.1 ms'. */
export const time = (seconds: number): string =>
  seconds < 1 ? `${digits(seconds * 1e3)} ms` : seconds < 600 ? `${digits(seconds)} s` : `${digits(seconds / 60)} min`;

/** Three significant digits, whole numbers from 1000 on. */
export const digits = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(rounded);
};

export const percent = (share: number): string => `${digits(share * 100)} %`;
