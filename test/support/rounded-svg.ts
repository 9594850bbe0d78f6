/** A picture with its numbers rounded to three digits and without its receipt: what the eye could tell apart. */
export const roundedSvg = (svg: string): string =>
  svg
    .replace(/<metadata[^]*?<\/metadata>/, '')
    .replace(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g, (number) => String(Number(Number(number).toPrecision(3))));
