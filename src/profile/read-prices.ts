import { parseQuantity } from '../quantity/parse-quantity.ts';
import { deepFreeze } from './deep-freeze.ts';
import { notPositive, repeated, unpricedEntry } from './messages.ts';
import { type CloudPriceFile, type DevicePriceFile, type ListPriceFile, pricesSchema } from './price-schema.ts';
import type { CloudPrice, DevicePrice, ListPrice, Prices } from './price.ts';
import { ProfileError } from './profile-error.ts';
import { readJson } from './read-json.ts';

/**
 * Reads a parsed price overlay: US dollars, and US dollars per second where rented.
 * @param where What the sentences of errors call the file.
 * @throws ProfileError or QuantityError with one sentence.
 */
export function readPrices(json: unknown, where: string): Prices {
  const file = readJson(pricesSchema, json, where);
  const devices = file.entries.map(({ device }) => device);
  const again = devices.find((device, index) => devices.indexOf(device) !== index);
  if (again !== undefined) throw new ProfileError(repeated(where, 'entries', again));
  return deepFreeze({
    name: file.name,
    date: file.date,
    entries: file.entries.map((entry, index) => entryFrom(entry, `entries.${String(index)}`, where)),
    notes: file.notes ?? '',
  });
}

function entryFrom({ device, list, cloud = [] }: DevicePriceFile, path: string, where: string): DevicePrice {
  if (list === undefined && cloud.length === 0) throw new ProfileError(unpricedEntry(where, path));
  return {
    device,
    ...(list === undefined ? {} : { list: priceFrom(list, 'money', `${path}.list.price`, where) }),
    cloud: cloud.map((offer, index) => cloudFrom(offer, `${path}.cloud.${String(index)}.price`, where)),
  };
}

function cloudFrom(offer: CloudPriceFile, path: string, where: string): CloudPrice {
  return { ...priceFrom(offer, 'price', path, where), provider: offer.provider };
}

function priceFrom(file: ListPriceFile, dimension: 'money' | 'price', path: string, where: string): ListPrice {
  const price = parseQuantity(file.price, dimension, `${where}: ${path}`);
  if (price <= 0) throw new ProfileError(notPositive(where, path, file.price));
  const { scope, basis, date, source } = file;
  return { price, scope, basis, ...(date === undefined ? {} : { date }), source };
}
