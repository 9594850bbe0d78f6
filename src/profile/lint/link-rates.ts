/*
 * Rates of links per direction and device, bytes/s, and of PCIe. From the NVLink, xGMI and Gaudi figures of the data
 * sheets that the profiles cite (2026-12-01): vendors print the sum of both directions, twice these.
 */

interface LinkRate {
  /** How the kind of the link begins, folded to lower case. */
  readonly kind: string;
  /** Families where it holds; absent = all. */
  readonly architectures?: readonly string[];
  readonly rates: readonly number[];
}

// The first entry that fits holds: bridges before the links they are named after.
const linkRates: readonly LinkRate[] = [
  { kind: 'nvlink 2 bridge', rates: [25e9, 50e9] },
  { kind: 'nvlink 3 bridge', architectures: ['ampere'], rates: [100e9, 300e9] },
  { kind: 'nvlink 3 bridge', rates: [56.25e9] },
  { kind: 'nvlink 4 bridge', rates: [300e9, 450e9] },
  { kind: 'nvlink 4 (cut)', rates: [200e9] },
  { kind: 'nvlink 2', rates: [150e9] },
  { kind: 'nvlink 3', rates: [300e9] },
  { kind: 'nvlink 4', rates: [450e9] },
  { kind: 'nvlink 5', rates: [900e9] },
  // Written without its generation, the family tells.
  { kind: 'nvlink', architectures: ['volta'], rates: [150e9] },
  { kind: 'nvlink', architectures: ['ampere'], rates: [300e9] },
  { kind: 'nvlink', architectures: ['hopper'], rates: [450e9] },
  { kind: 'nvlink', architectures: ['blackwell'], rates: [900e9] },
  { kind: 'xgmi', architectures: ['cdna3'], rates: [448e9] },
  { kind: 'xgmi', architectures: ['cdna4'], rates: [537.6e9] },
  { kind: 'roce', architectures: ['gaudi2'], rates: [262.5e9] },
  { kind: 'roce', architectures: ['gaudi3'], rates: [525e9] },
  { kind: 'neuronlink 3', rates: [640e9] },
];

/** Known rates per direction of a link; empty where it is not known. */
export function knownLinkRates(kind: string, architecture: string): readonly number[] {
  // People write NVLink4, NVLink-4 and NVLink 4.
  const folded = kind.toLowerCase().replace(/(nvlink|neuronlink)[ -]?(?=\d)/, '$1 ');
  const found = linkRates.find(
    (link) => folded.startsWith(link.kind) && (link.architectures?.includes(architecture) ?? true),
  );
  return found?.rates ?? [];
}

/** PCIe, bytes/s per lane and direction after encoding (PCI-SIG base specifications 3 to 6). */
const laneRates: Readonly<Record<string, number>> = { 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9 };

/** Rate per direction of a link written as `PCIe 5.0 x16`; undefined for anything else. */
export function pcieRate(kind: string): number | undefined {
  const match = /^pcie\s*(?:gen)?\s*([3-6])(?:\.0)?\s*x(\d{1,2})$/i.exec(kind);
  const lane = laneRates[match?.[1] ?? ''];
  return lane === undefined ? undefined : lane * Number(match?.[2]);
}
