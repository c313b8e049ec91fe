import type { ChartSpec } from '../chart-spec';
import { percentileLines } from '../percentiles';

export const ttftPercentiles: ChartSpec = {
  id: 'ttft-percentiles',
  title: 'How is the time to the first token spread?',
  unit: 'ms TTFT',
  better: 'lower',
  prepare: (run) => percentileLines(run, 'ttftMs'),
};
