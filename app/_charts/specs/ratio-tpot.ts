import { blockRatios } from '../block-ratios';
import type { ChartSpec } from '../chart-spec';

export const ratioTpot: ChartSpec = {
  id: 'ratio-tpot',
  title: 'Is the change in TPOT p50 the same in every block?',
  unit: '× baseline',
  better: 'lower',
  prepare: (run, baseline) => blockRatios(run, baseline, 'tpotMsP50'),
};
