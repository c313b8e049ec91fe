import type { ChartSpec } from '../chart-spec';
import { timeLines } from '../time-lines';

export const ttft: ChartSpec = {
  id: 'ttft',
  title: 'How long until the first token?',
  unit: 'ms',
  better: 'lower',
  prepare: (run) =>
    timeLines(
      run,
      [
        { weight: 'solid', read: (row) => row.ttftMsP50 },
        { weight: 'thin', read: (row) => row.ttftMsP99 },
      ],
      {
        empty: 'TTFT appears when the first measured request has ended.',
        note: 'thin: p99, of under 100 requests a second the slowest',
      },
    ),
};
