import type { ChartData } from './chart-data';
import type { ChartInput } from './chart-input';

/** One chart, one file in `specs/`, one line in the registry. */
export interface ChartSpec {
  id: string;
  /** The question that the chart answers. */
  title: string;
  /** Of the y axis (lines, frontier) or of the bars. */
  unit: string;
  /** For "change against the baseline": which direction is good. */
  better: 'higher' | 'lower' | null;
  /** `baseline`: index of the arm that all others are compared with; null where there is none (one endpoint). */
  prepare(run: ChartInput, baseline: number | null): ChartData;
}
