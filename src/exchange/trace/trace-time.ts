/**
 * A date as traces write it, with up to nine digits of a second, a blank or a T, and a zone or none, which is UTC:
 * '2023-11-16 18:17:03.9799600', '2024-05-10 00:00:00.009930+00:00', '2024-10-15T12:00:00.269Z'.
 */
const dateForm = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):?([0-5]\d)?)?$/;

/** Seconds since 1970 of a date; undefined for anything else, days that do not exist included. */
export function dateSeconds(text: string): number | undefined {
  const match = dateForm.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const whole = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC takes 30 February for 2 March.
  const isReal = new Date(whole).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60 && second < 60;
  const ahead = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 3600 + Number(match[10] ?? 0) * 60);
  return isReal ? whole / 1000 - ahead + Number(match[7] ?? 0) : undefined;
}

/** A number of at least 0; undefined for anything else. */
export function plainSeconds(text: string): number | undefined {
  const value = /^\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return value < Infinity ? value : undefined;
}
