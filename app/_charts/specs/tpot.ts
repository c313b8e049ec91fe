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
        note: 'TPOT of the requests that ended in that second: p50, and thin the p99, which is the slowest of under 100',
      },
    ),
};
