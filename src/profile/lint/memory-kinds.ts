/*
 * Bandwidths that devices with a kind of memory have had, bytes/s: from the narrowest to the widest bus shipped
 * (profiles of this repository and the data sheets they cite, 2026-12-01), widened by about a tenth.
 */

interface MemoryKind {
  /** How the kind begins, folded to lower case. */
  readonly kind: string;
  readonly least: number;
  readonly most: number;
}

const memoryKinds: readonly MemoryKind[] = [
  { kind: 'hbm4', least: 1500e9, most: 30e12 },
  { kind: 'hbm3e', least: 1000e9, most: 9e12 },
  { kind: 'hbm3', least: 700e9, most: 6.6e12 },
  { kind: 'hbm2e', least: 400e9, most: 4.1e12 },
  { kind: 'hbm2', least: 250e9, most: 2e12 },
  { kind: 'gddr7', least: 200e9, most: 2.4e12 },
  { kind: 'gddr6x', least: 300e9, most: 1.2e12 },
  { kind: 'gddr6', least: 96e9, most: 1.1e12 },
  { kind: 'gddr5', least: 60e9, most: 600e9 },
  { kind: 'lpddr', least: 5e9, most: 1.2e12 },
  { kind: 'mrdimm', least: 50e9, most: 2e12 },
  { kind: 'ddr5', least: 20e9, most: 1.4e12 },
  { kind: 'ddr4', least: 10e9, most: 600e9 },
];

/** Range of bandwidth for a kind of memory; undefined for kinds that are not listed (SRAM, for one). */
export function bandwidthRange(kind: string): { readonly least: number; readonly most: number } | undefined {
  const folded = kind.toLowerCase();
  return memoryKinds.find((memory) => folded.startsWith(memory.kind));
}

/** Memory stacked or soldered beside the device, a few hundred GiB at most. */
export function isDeviceMemory(kind: string): boolean {
  return /^(hbm|gddr)/i.test(kind);
}
