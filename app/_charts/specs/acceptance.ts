import type { ChartSpec } from '../chart-spec';
import { timeLines } from '../time-lines';

export const acceptance: ChartSpec = {
  id: 'acceptance',
  title: 'How many drafted tokens are accepted?',
  unit: '%',
  better: 'higher',
  prepare: (run) =>
    timeLines(
      run,
      [{ weight: 'solid', read: (row) => (row.acceptanceRate === null ? null : row.acceptanceRate * 100) }],
      {
        empty: run.running
          ? 'Nothing drafted yet. Plans with speculation appear here.'
          : 'No plan of this experiment drafted tokens.',
        note: null,
      },
    ),
};
