/** What a use asks of each clock, seconds, and where that comes from. */
export interface Targets {
  readonly name: string;
  readonly ttft: number;
  readonly tpot: number;
  readonly source: string;
}

/**
 * Sensible per use. MLPerf's limits hold for the 99th percentile of a data-centre server and are agreed between
 * vendors; what people feel is from studies of response times and of turn-taking.
 */
export const targetPresets: readonly Targets[] = [
  {
    name: 'chat',
    ttft: 0.45,
    tpot: 0.04,
    source: 'MLPerf Inference v5.0 (2025), Llama 2 70B interactive: TTFT 450 ms, TPOT 40 ms at p99',
  },
  {
    name: 'completion',
    ttft: 0.1,
    tpot: 0.02,
    source:
      'Nielsen, Usability Engineering (1993): 0.1 s feels instantaneous; 20 ms gives a line of 20 tokens in half a second',
  },
  {
    name: 'long-form',
    ttft: 2,
    tpot: 0.2,
    source: 'MLPerf Inference v4.0 (2024), Llama 2 70B server: TTFT 2 s, TPOT 200 ms at p99, about reading speed',
  },
  {
    name: 'voice',
    ttft: 0.2,
    tpot: 0.1,
    source:
      'Stivers et al., PNAS 106 (2009): gaps between speakers are about 200 ms; 150 spoken words a minute are 3.3 tokens/s, three times as fast to stay ahead',
  },
  {
    name: 'agents',
    ttft: 0.5,
    tpot: 0.03,
    source: 'MLPerf Inference v5.1 (2025), Llama 3.1 8B interactive: TTFT 500 ms, TPOT 30 ms at p99; many turns add up',
  },
];
