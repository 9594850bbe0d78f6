/** What a kind of chart needs besides one scenario; everything has a default. */
export type ChartNeed = 'changes' | 'devices' | 'prices' | 'choices' | 'objectives' | 'seed' | 'measurements';

export type ChartKind =
  | 'waterfall'
  | 'what-if'
  | 'elasticity'
  | 'roofline'
  | 'prompt'
  | 'batch'
  | 'context'
  | 'pareto'
  | 'devices'
  | 'levers'
  | 'memory'
  | 'load'
  | 'break-even'
  | 'tornado'
  | 'accuracy';

export interface ChartName {
  readonly name: ChartKind;
  readonly summary: string;
  readonly needs: readonly ChartNeed[];
}

/** Every kind of chart, in the order of the gallery. */
export const chartNames: readonly ChartName[] = [
  { name: 'waterfall', summary: 'what TTFT and TPOT are spent on, part by part', needs: [] },
  { name: 'what-if', summary: 'both clocks before and after changes', needs: ['changes'] },
  { name: 'elasticity', summary: 'heat map: per cent that each clock changes per per cent of each input', needs: [] },
  { name: 'roofline', summary: 'operators of both phases under the roof of the device', needs: [] },
  { name: 'prompt', summary: 'TTFT against prompt length, with band and floor', needs: [] },
  { name: 'batch', summary: 'TPOT against batch or requests in flight, with band and floor', needs: [] },
  { name: 'context', summary: 'TPOT against context, with band and floor', needs: [] },
  { name: 'pareto', summary: 'latency against throughput by spread, with targets', needs: ['objectives'] },
  { name: 'devices', summary: 'both clocks and dollars per million tokens by device', needs: ['devices', 'prices'] },
  { name: 'levers', summary: 'every lever that helps, the best first', needs: ['choices', 'prices'] },
  { name: 'memory', summary: 'what fills the memory of a device, and the largest batch', needs: [] },
  {
    name: 'load',
    summary: 'TTFT percentiles against arrival rate, by event simulation',
    needs: ['objectives', 'seed'],
  },
  { name: 'break-even', summary: 'where common levers stop to pay', needs: [] },
  { name: 'tornado', summary: 'how far each clock moves with each input a fifth less or more', needs: [] },
  { name: 'accuracy', summary: 'predicted against measured', needs: ['measurements'] },
];

export const isChartKind = (text: string): text is ChartKind => chartNames.some(({ name }) => name === text);
