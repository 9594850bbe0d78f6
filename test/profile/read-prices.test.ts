import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ProfileError } from '../../src/profile/profile-error.ts';
import { readPrices } from '../../src/profile/read-prices.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';
import { shippedHardware } from './shipped-hardware.ts';

const overlay = (entry: unknown): unknown => ({ name: 'mine', date: '2026-10-01', entries: [entry] });
const list = { price: '30000 USD', scope: 'device', basis: 'launch MSRP', source: 'a page' };
const cloud = { price: '3.60 USD/h', provider: 'Somebody', scope: 'device', basis: 'on demand', source: 'a page' };

describe('readPrices', () => {
  // 3.60 USD an hour / 3600 s = 0.001 USD a second.
  it('gives dollars, and dollars per second', () => {
    const prices = readPrices(overlay({ device: 'h100', list, cloud: [{ ...cloud, date: '2026-09-25' }] }), 'mine');
    expect(prices.entries[0]?.list?.price).toBe(30_000);
    expect(prices.entries[0]?.cloud[0]).toEqual({
      price: 0.001,
      provider: 'Somebody',
      scope: 'device',
      basis: 'on demand',
      date: '2026-09-25',
      source: 'a page',
    });
    expect(Object.isFrozen(prices.entries[0]?.cloud[0])).toBe(true);
  });

  it.each<readonly [string, unknown, string]>([
    ['no price', { device: 'h100' }, 'mine: entries.0 has neither list nor cloud, expected at least one price.'],
    [
      'a rate in place of a price',
      { device: 'h100', list: { ...list, price: '3 USD/h' } },
      "mine: entries.0.list.price: '3 USD/h' is a price per time, expected an amount of money such as '25000 USD'",
    ],
    [
      'a gift',
      { device: 'h100', cloud: [{ ...cloud, price: '0 USD/h' }] },
      "mine: entries.0.cloud.0.price is '0 USD/h', expected more than 0.",
    ],
    [
      'an unknown scope',
      { device: 'h100', list: { ...list, scope: 'rack' } },
      "mine: entries.0.list.scope is 'rack', expected one of device, machine.",
    ],
    [
      'a misspelt field',
      { device: 'h100', list: { ...list, bassis: 'x' } },
      "mine: entries.0.list has the unknown field 'bassis', nearest known field 'basis'.",
    ],
  ])('refuses %s', (_, entry, message) => {
    expect(() => readPrices(overlay(entry), 'mine')).toThrow(message);
    try {
      readPrices(overlay(entry), 'mine');
    } catch (error) {
      expect(error instanceof ProfileError || error instanceof QuantityError).toBe(true);
    }
  });

  it('refuses a device twice', () => {
    const twice = {
      name: 'mine',
      date: '2026-10-01',
      entries: [
        { device: 'h100', list },
        { device: 'h100', list },
      ],
    };
    expect(() => readPrices(twice, 'mine')).toThrow("mine: entries repeats 'h100', expected every name once.");
  });
});

describe('shipped prices', () => {
  const folder = new URL('../../prices/', import.meta.url);
  const files = readdirSync(folder);

  it.each(files)('%s is of its day, about devices that have a profile, never later than its day', (file) => {
    const json: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const prices = readPrices(json, file);
    expect(file).toBe(`${prices.date}.json`);
    const names = new Set(shippedHardware.map(({ name }) => name));
    expect(prices.entries.filter(({ device }) => !names.has(device))).toEqual([]);
    const dates = prices.entries.flatMap(({ list: offer, cloud: offers }) =>
      [offer, ...offers].map((p) => p?.date ?? ''),
    );
    expect(dates.filter((date) => date > prices.date)).toEqual([]);
    // Between a hobby board and a rack, and between a cent and 20 dollars an hour.
    for (const entry of prices.entries) {
      if (entry.list !== undefined) expect(entry.list.price).toBeGreaterThan(100);
      for (const offer of entry.cloud) {
        expect(offer.price * 3600).toBeGreaterThan(0.01);
        expect(offer.price * 3600).toBeLessThan(20);
      }
    }
  });
});
