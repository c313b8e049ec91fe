import { blockRatios } from '../block-ratios';
import type { ChartSpec } from '../chart-spec';

export const ratioTtft: ChartSpec = {
  id: 'ratio-ttft',
  title: 'Is the change in TTFT p50 the same in every block?',
  unit: '× baseline',
  better: 'lower',
  prepare: (run, baseline) => blockRatios(run, baseline, 'ttftMsP50'),
};
