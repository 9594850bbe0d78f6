import { describe, expect, it } from 'vitest';
import type { Hardware } from '../../src/profile/hardware.ts';
import { defaultNetworkBandwidth, linkBetween } from '../../src/roofline/link.ts';
import { toyHardware } from '../support/toy.ts';

// 100 GB/s to a switch: 100 GB/s for 2, 4 and 8 ranks. In a mesh of 8 that is 7 links: 2 ranks use one, 100 / 7.

const efficiency = { floor: 1e-6, bandwidth: 0.8, sharpness: 0.6, hostFloor: 5e-6, hostBandwidth: 0.4 };

const linked = (link: Partial<Hardware['link']>, rest: Partial<Hardware> = {}): Hardware => ({
  ...toyHardware,
  ...rest,
  link: { ...toyHardware.link, ...link },
});

describe('link', () => {
  it('of a switch or torus is whole for any group within its domain', () => {
    for (const topology of ['switch', 'torus'] as const) {
      for (const ranks of [2, 4, 8]) {
        expect(linkBetween(linked({ topology }), ranks, efficiency)).toEqual({
          kind: 'own',
          name: 'toylink',
          bandwidth: 100e9,
          share: 0.8,
          floor: 1e-6,
        });
      }
    }
  });

  it('of a mesh is the links to the ranks in the group', () => {
    const mesh = linked({ topology: 'mesh', bandwidth: 70e9 });
    expect(linkBetween(mesh, 2, efficiency).bandwidth).toBe(10e9);
    expect(linkBetween(mesh, 4, efficiency).bandwidth).toBeCloseTo(30e9, 0);
    expect(linkBetween(mesh, 8, efficiency).bandwidth).toBe(70e9);
  });

  it('of a bridge joins two; more talk over the host', () => {
    const bridge = linked({ topology: 'bridge', domain: 2 });
    expect(linkBetween(bridge, 2, efficiency).kind).toBe('own');
    expect(linkBetween(bridge, 4, efficiency)).toEqual({
      kind: 'host',
      name: 'PCIe',
      bandwidth: 10e9,
      share: 0.4,
      floor: 5e-6,
    });
  });

  it('of devices without one is the host link, and the network where there is none', () => {
    const alone = { topology: 'none', bandwidth: 0, domain: 1 } as const;
    expect(linkBetween(linked(alone), 2, efficiency).kind).toBe('host');
    const unhosted = linked(alone, { host: { kind: 'none', bandwidth: 0 } });
    expect(linkBetween(unhosted, 2, efficiency)).toMatchObject({ kind: 'network', bandwidth: defaultNetworkBandwidth });
  });

  it('beyond a switch is the network, at the rate that the profile names', () => {
    expect(linkBetween(toyHardware, 16, efficiency)).toMatchObject({
      kind: 'network',
      bandwidth: defaultNetworkBandwidth,
      share: 0.8,
      floor: 1e-5,
    });
    expect(linkBetween(linked({}, { network: { bandwidth: 25e9 } }), 16, efficiency).bandwidth).toBe(25e9);
  });
});
