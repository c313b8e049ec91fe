import type { ChartSpec } from '../chart-spec';
import { timeLines } from '../time-lines';

export const outputTokens: ChartSpec = {
  id: 'output-tokens',
  title: 'How fast do tokens come out?',
  unit: 'tok/s',
  better: 'higher',
  prepare: (run) =>
    timeLines(run, [{ weight: 'solid', read: (row) => row.outputTokens }], {
      empty: 'Tokens appear with the first measured second.',
      note: null,
    }),
};
