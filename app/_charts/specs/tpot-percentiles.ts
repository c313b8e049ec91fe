import type { ChartSpec } from '../chart-spec';
import { percentileLines } from '../percentiles';

export const tpotPercentiles: ChartSpec = {
  id: 'tpot-percentiles',
  title: 'How is the time per token spread?',
  unit: 'ms TPOT',
  better: 'lower',
  prepare: (run) => percentileLines(run, 'tpotMs'),
};
