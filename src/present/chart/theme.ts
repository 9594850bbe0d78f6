import type { Resource } from '../../roofline/resource.ts';

/** Everything about a chart that is no data. Sizes in pixels. */
export interface Theme {
  readonly name: string;
  /** Inner width of a chart of one panel. */
  readonly width: number;
  readonly font: string;
  readonly background: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  /** The two clocks and the whole request: dark, light and between, so that they differ in grey too. */
  readonly ttft: string;
  readonly tpot: string;
  readonly e2e: string;
  /** The same for letters, which need more contrast than areas. */
  readonly words: { readonly ttft: string; readonly tpot: string; readonly e2e: string };
  /** What something was before a change; floors and limits. */
  readonly before: string;
  readonly limit: string;
  readonly resources: Readonly<Record<Resource, string>>;
  /** Numbers on dark and on light fills. */
  readonly onDark: string;
  readonly onLight: string;
}

/** Sizes of text. */
export const textSizes = { title: 17, subtitle: 12.5, label: 12 } as const;

/**
 * Colours keep apart under the three common kinds of colour blindness (after Okabe and Ito, Color Universal Design,
 * 2008) and, neighbours in a stack above all, by lightness.
 */
export const lightTheme: Theme = {
  name: 'light',
  width: 620,
  font: 'Inter, "Helvetica Neue", Arial, sans-serif',
  background: '#ffffff',
  ink: '#1c2430',
  muted: '#5b6675',
  grid: '#e3e7ec',
  ttft: '#0b3c6f',
  tpot: '#e5831f',
  e2e: '#3a7568',
  words: { ttft: '#0b3c6f', tpot: '#a3530a', e2e: '#3d6f65' },
  before: '#aab2bd',
  limit: '#a3123a',
  resources: {
    compute: '#0b3c6f',
    'weight-bandwidth': '#d9731a',
    'kv-bandwidth': '#f2b54a',
    'activation-bandwidth': '#f8dfae',
    'link-bandwidth': '#2f7d64',
    'link-latency': '#98cdb8',
    overhead: '#59616d',
    queue: '#b9c0c9',
    network: '#dfe3e8',
  },
  onDark: '#ffffff',
  onLight: '#1c2430',
};

/** The same for dark pages. */
export const darkTheme: Theme = {
  ...lightTheme,
  name: 'dark',
  background: '#151a21',
  ink: '#eef1f5',
  muted: '#a9b3c0',
  grid: '#2d3540',
  ttft: '#7fb2ea',
  tpot: '#f0a04b',
  e2e: '#8fc0b6',
  words: { ttft: '#9cc5f1', tpot: '#f3b067', e2e: '#a5d0c7' },
  before: '#6b7583',
  limit: '#ff7d98',
  resources: {
    ...lightTheme.resources,
    compute: '#7fb2ea',
    'link-bandwidth': '#4fae8f',
    overhead: '#8d96a3',
    queue: '#c3cad3',
  },
};

export const themes: readonly Theme[] = [lightTheme, darkTheme];
