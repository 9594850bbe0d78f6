/** '2023-11-16 18:17:03.9799600', with up to nine digits of a second, an optional T and zone. */
const dateForm = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|\+00:?00)?$/;

/** Seconds since 1970 of a date in UTC; undefined for anything else, days that do not exist included. */
export function dateSeconds(text: string): number | undefined {
  const match = dateForm.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const whole = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC takes 30 February for 2 March.
  const isReal = new Date(whole).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60 && second < 60;
  return isReal ? whole / 1000 + Number(match[7] ?? 0) : undefined;
}

/** A number of at least 0; undefined for anything else. */
export function plainSeconds(text: string): number | undefined {
  const value = /^\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return value < Infinity ? value : undefined;
}
