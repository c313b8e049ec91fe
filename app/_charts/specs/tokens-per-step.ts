import { metricBars } from '../bars';
import type { ChartSpec } from '../chart-spec';

export const tokensPerStep: ChartSpec = {
  id: 'tokens-per-step',
  title: 'How many tokens does one step give?',
  unit: 'tokens a step',
  better: 'higher',
  prepare: (run) =>
    metricBars(run, 'tokensPerStep', {
      empty: run.running ? 'Appears when the first trial has ended.' : 'The engine did not report its steps.',
      note: 'of one sequence, bonus token included; 1 without speculation',
    }),
};
