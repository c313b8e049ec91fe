import { blockRatios } from '../block-ratios';
import type { ChartSpec } from '../chart-spec';

export const ratioOutputTokens: ChartSpec = {
  id: 'ratio-output-tokens',
  title: 'Is the gain in tokens/s the same in every block?',
  unit: '× baseline',
  better: 'higher',
  prepare: (run, baseline) => blockRatios(run, baseline, 'outputTokensPerS'),
};
