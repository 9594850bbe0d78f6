import type { Resource } from '../roofline/resource.ts';

/** What people call a resource in a sentence: 'TPOT is 71 % ...'. */
export const resourceWords: Readonly<Record<Resource, string>> = {
  compute: 'compute',
  'weight-bandwidth': 'reading weights',
  'kv-bandwidth': 'reading KV cache',
  'activation-bandwidth': 'activations in memory',
  'link-bandwidth': 'link transfer',
  'link-latency': 'link latency',
  overhead: 'engine and launch overhead',
  queue: 'waiting',
  network: 'network',
};

/** One character of a bar per resource, told apart without colour. */
export const resourceMarks: Readonly<Record<Resource, string>> = {
  compute: '█',
  'weight-bandwidth': '▓',
  'kv-bandwidth': '▒',
  'activation-bandwidth': '░',
  'link-bandwidth': '=',
  'link-latency': '-',
  overhead: 'o',
  queue: '.',
  network: '~',
};
