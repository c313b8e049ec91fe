import type { ChartSpec } from '../chart-spec';
import { timeLines } from '../time-lines';

export const tpot: ChartSpec = {
  id: 'tpot',
  title: 'How long does each next token take?',
  unit: 'ms',
  better: 'lower',
  prepare: (run) =>
    timeLines(
      run,
      [
        { weight: 'solid', read: (row) => row.tpotMsP50 },
        { weight: 'thin', read: (row) => row.tpotMsP99 },
      ],
      {
        empty: 'TPOT appears when the first measured request has ended.',
        note: 'thin: p99, of under 100 requests a second the slowest',
      },
    ),
};
