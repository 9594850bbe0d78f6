import type { Given } from './command.ts';

/** An option that is a time: '50 ms', '1.2 s'; undefined where it is not given. @throws QuantityError. */
export async function readSeconds({ text }: Given, name: string): Promise<number | undefined> {
  const written = text[name];
  if (written === undefined) return undefined;
  const { parseQuantity } = await import('../quantity/parse-quantity.ts');
  return parseQuantity(written, 'time', `--${name}`);
}
