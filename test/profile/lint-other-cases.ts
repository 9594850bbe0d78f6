import type { LintCase } from './lint-case.ts';

// 72 x 186 = 13 392, which is 13.4 thousand; 80 GB / 1.0737 = 74.5 GiB.
const memory: readonly LintCase[] = [
  [
    'the capacity of the rack as bandwidth (InferSim f2293da, GB200)',
    'gb200',
    { 'memory.bandwidth': '13.4 TB/s' },
    [
      [
        'capacity-as-bandwidth',
        'error',
        'memory.bandwidth',
        "memory.bandwidth is 13.4 TB/s, the number of 72 times memory.capacity ('186 GiB'); it looks like a capacity.",
      ],
    ],
  ],
  [
    'the capacity of the device as bandwidth',
    'h100-sxm5-80gb',
    { 'memory.bandwidth': '80 GB/s' },
    [
      [
        'capacity-as-bandwidth',
        'error',
        'memory.bandwidth',
        "memory.bandwidth is 80 GB/s, the number of memory.capacity ('80 GiB'); it looks like a capacity.",
      ],
    ],
  ],
  [
    'GB/s for TB/s',
    'h100-sxm5-80gb',
    { 'memory.bandwidth': '3.35 GB/s' },
    [
      [
        'bandwidth-of-kind',
        'error',
        'memory.bandwidth',
        'memory.bandwidth is 3.35 GB/s; devices with HBM3 have 700 GB/s to 6.6 TB/s.',
      ],
    ],
  ],
  [
    'the sum of eight devices',
    'b200-sxm',
    { 'memory.bandwidth': '62 TB/s' },
    [
      [
        'bandwidth-of-kind',
        'error',
        'memory.bandwidth',
        'memory.bandwidth is 62 TB/s; devices with HBM3e have 1 TB/s to 9 TB/s.',
      ],
    ],
  ],
  [
    'GB for GiB',
    'h100-sxm5-80gb',
    { 'memory.capacity': '80 GB' },
    [
      [
        'decimal-capacity',
        'warning',
        'memory.capacity',
        "memory.capacity is '80 GB', which is 74.51 GiB; data sheets that say GB of device memory mean GiB, so write GiB, or give memory.reported.",
      ],
    ],
  ],
  [
    'the stacks in place of what is exposed',
    'b200-sxm',
    { 'memory.capacity': '192 GiB' },
    [
      [
        'exposed-capacity',
        'warning',
        'memory.capacity',
        'memory.capacity is 192 GiB, the size of the stacks; devices of this family expose 180 (B200) or 185 GiB (GB200), so give memory.reported.',
      ],
    ],
  ],
  [
    'more reported than there is',
    'b300-sxm',
    { 'memory.reported': '288 GiB' },
    [
      [
        'exposed-capacity',
        'error',
        'memory.reported',
        'memory.reported is 288 GiB, more than memory.capacity of 270 GiB.',
      ],
    ],
  ],
  [
    'far less reported than there is',
    'l40s',
    { 'memory.reported': '30 GiB' },
    [
      [
        'exposed-capacity',
        'warning',
        'memory.reported',
        'memory.reported is 30 GiB, less than 0.85 of memory.capacity of 48 GiB; drivers keep back a few per cent.',
      ],
    ],
  ],
  [
    'a Mac that does not share its memory',
    'apple-m4-10c',
    { 'memory.unified': undefined },
    [
      [
        'unified-memory',
        'warning',
        'memory.unified',
        'memory.unified is false, but apple shares its memory with the CPU.',
      ],
    ],
  ],
];

// GB200 NVL72: 72 x 2.5 PFLOP/s = 180 PFLOP/s, 72 x 1.8 TB/s = 130 TB/s, 72 x 186 GB = 13.4 TB, 120 kW.
const systems: readonly LintCase[] = [
  [
    'the peak of a rack',
    'gb200',
    { 'matrix.bf16': '180 PFLOP/s', 'matrix.fp16': undefined },
    [
      [
        'rack-figure',
        'error',
        'matrix.bf16',
        'bf16 is 180 PFLOP/s, 72 times what one device gives; it looks like the figure of a whole system.',
      ],
    ],
  ],
  [
    'links, memory and power of a rack',
    'gb200',
    {
      'link.bandwidth': '130 TB/s',
      'memory.capacity': '13.4 TB',
      'memory.reported': undefined,
      'power.limit': '120 kW',
    },
    [
      [
        'rack-figure',
        'error',
        'link.bandwidth',
        "link.bandwidth is '130 TB/s', more than one device has (at most 5 TB/s per direction); it looks like the figure of a whole system.",
      ],
      [
        'rack-figure',
        'error',
        'memory.capacity',
        "memory.capacity is '13.4 TB', more than one device has (at most 1 TB); it looks like the figure of a whole system.",
      ],
      [
        'rack-figure',
        'error',
        'power.limit',
        "power.limit is '120 kW', more than one device has (at most 5 kW); it looks like the figure of a whole system.",
      ],
    ],
  ],
];

const links: readonly LintCase[] = [
  [
    'both directions of NVLink and PCIe (H100)',
    'h100-sxm5-80gb',
    { 'link.bandwidth': '900 GB/s', 'host.bandwidth': '128 GB/s' },
    [
      [
        'both-directions',
        'error',
        'link.bandwidth',
        'link.bandwidth is 900 GB/s, the sum of both directions; expected 450 GB/s per direction.',
      ],
      [
        'both-directions',
        'error',
        'host.bandwidth',
        'host.bandwidth is 128 GB/s, the sum of both directions; expected 63.008 GB/s per direction.',
      ],
    ],
  ],
  [
    'both directions of an NVLink without its generation (A100)',
    'a100-sxm4-80gb',
    { 'link.kind': 'NVLink', 'link.bandwidth': '600 GB/s' },
    [
      [
        'both-directions',
        'error',
        'link.bandwidth',
        'link.bandwidth is 600 GB/s, the sum of both directions; expected 300 GB/s per direction.',
      ],
    ],
  ],
  [
    'the PCIe of another generation',
    'b200-sxm',
    { 'host.bandwidth': '31.5 GB/s' },
    [
      [
        'both-directions',
        'warning',
        'host.bandwidth',
        'host.bandwidth is 31.5 GB/s; PCIe 5.0 x16 gives 63.008 GB/s per direction.',
      ],
    ],
  ],
  [
    'Gb/s written as GB/s (llm-analysis d841e40)',
    'h100-sxm5-80gb',
    { 'network.bandwidth': '400 GB/s' },
    [
      [
        'bits-as-bytes',
        'error',
        'network.bandwidth',
        'network.bandwidth is 400 GB/s; it looks like 400 Gbit/s, which is 50 GB/s.',
      ],
    ],
  ],
  [
    'a network that only the fastest card has',
    'a100-sxm4-80gb',
    { 'network.bandwidth': '200 GB/s' },
    [
      [
        'bits-as-bytes',
        'warning',
        'network.bandwidth',
        'network.bandwidth is 200 GB/s; it looks like 200 Gbit/s, which is 25 GB/s.',
      ],
    ],
  ],
  [
    'Gb/s of a link',
    'gaudi2',
    { 'link.bandwidth': '2100 GB/s' },
    [
      [
        'bits-as-bytes',
        'error',
        'link.bandwidth',
        'link.bandwidth is 2.1 TB/s; it looks like 2100 Gbit/s, which is 262.5 GB/s.',
      ],
    ],
  ],
  [
    'a bridge modelled as a switch (llm-analysis d841e40)',
    'a100-pcie-80gb',
    { 'link.topology': 'switch', 'link.domain': 8 },
    [
      [
        'bridge-topology',
        'error',
        'link.topology',
        "link.topology is 'switch' for NVLink 3 bridge on a card; a bridge joins pairs (or four cards) only, expected 'bridge'.",
      ],
    ],
  ],
  [
    'a bridge of eight',
    'a100-pcie-80gb',
    { 'link.domain': 8 },
    [['bridge-topology', 'error', 'link.domain', 'link.domain is 8 for a bridge; bridges join 2 or 4 devices.']],
  ],
  [
    'NVLink on an L40S (gpu.blog)',
    'l40s',
    { link: { kind: 'NVLink 4', topology: 'bridge', bandwidth: '450 GB/s', domain: 2 } },
    [['bridge-topology', 'error', 'link.kind', "link.kind is 'NVLink 4', but ada has no NVLink."]],
  ],
  [
    'NVLink on an MI210 (LLMCompass 2e015fd)',
    'mi210',
    { 'link.kind': 'NVLink 3 bridge' },
    [['bridge-topology', 'error', 'link.kind', "link.kind is 'NVLink 3 bridge', but AMD has no NVLink."]],
  ],
];

const others: readonly LintCase[] = [
  [
    'MHz written as GHz',
    'h100-sxm5-80gb',
    { 'units.boostClock': '1830 GHz' },
    [['clock-range', 'error', 'units.boostClock', 'units.boostClock is 1830 GHz, expected 200 MHz to 3.5 GHz.']],
  ],
  [
    'a misspelt family',
    'h100-sxm5-80gb',
    { architecture: 'hoper' },
    [
      [
        'known-architecture',
        'warning',
        'architecture',
        "architecture is 'hoper', which no efficiencies are known for; nearest known family 'hopper'.",
      ],
    ],
  ],
  [
    'a shipped name over another figure (LLM-Viewer 472f71f, H100)',
    'h100-sxm5-80gb',
    { name: 'h100', 'memory.bandwidth': '3.072 TB/s' },
    [
      [
        'known-device',
        'warning',
        'memory.bandwidth',
        'memory.bandwidth is 3.072 TB/s; the shipped profile h100-sxm5-80gb has 3.35 TB/s.',
      ],
    ],
  ],
  [
    'no source',
    'h100-sxm5-80gb',
    { sources: [] },
    [
      [
        'cited-sources',
        'error',
        'sources',
        'sources is empty; expected at least one document where the figures can be looked up.',
      ],
    ],
  ],
  [
    'a source without a day, between a dated and a pinned one',
    'h100-sxm5-80gb',
    {
      sources: [
        { source: 'https://example.org/one', date: '2026-01-31' },
        { source: 'https://example.org/two' },
        { source: 'owner/repository:file.md@0123456789abcdef0123456789abcdef01234567' },
      ],
    },
    [
      [
        'cited-sources',
        'warning',
        'sources.1',
        "'https://example.org/two' has neither a date nor a commit or version, so nobody can open the same document again.",
      ],
    ],
  ],
  [
    'high confidence in what is not cited',
    'h100-sxm5-80gb',
    { uncited: ['memory.bandwidth'] },
    [
      [
        'honest-confidence',
        'warning',
        'confidence',
        "confidence is 'high' while memory.bandwidth is uncited; expected 'medium' or 'low'.",
      ],
    ],
  ],
  [
    'a profile that cannot be read',
    'h100-sxm5-80gb',
    { 'memory.bandwidth': 3 },
    [['readable', 'error', '', "mine: memory.bandwidth is 3, expected a rate such as '3.35 TB/s'."]],
  ],
];

/** Wrong memory, whole systems, links and the rest. */
export const otherCases: readonly LintCase[] = [...memory, ...systems, ...links, ...others];
