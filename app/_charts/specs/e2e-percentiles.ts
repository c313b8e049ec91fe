import type { ChartSpec } from '../chart-spec';
import { percentileLines } from '../percentiles';

export const e2ePercentiles: ChartSpec = {
  id: 'e2e-percentiles',
  title: 'How long does a whole answer take?',
  unit: 'ms E2E',
  better: 'lower',
  prepare: (run) => percentileLines(run, 'e2eMs'),
};
