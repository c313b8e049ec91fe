/** What a chart draws, prepared and free of React. `hollow`: not to be trusted, drawn as an outline, out of every best. */
interface ChartBase {
  /** Words in place of the drawing where there is nothing to draw yet, or ever. */
  empty: string | null;
  /** Shown under the title: how to read it, what is left out. */
  note: string | null;
}

export interface LinePoint {
  x: number;
  /** Null: a gap, which stays a gap. */
  y: number | null;
  hollow: boolean;
}
export interface LineSeries {
  arm: number;
  label: string;
  isBaseline: boolean;
  /** p50 is drawn solid, p99 thin. */
  weight: 'solid' | 'thin';
  points: readonly LinePoint[];
}
export interface LinesData extends ChartBase {
  kind: 'lines';
  x: {
    label: string;
    unit: string;
    domain: readonly [number, number];
    ticks: readonly { value: number; label: string }[] | null;
  };
  /** Vertical marks, e.g. where a block begins. */
  edges: readonly { x: number; label: string }[];
  /** Where measuring stands now; null when nothing is being measured. */
  liveX: number | null;
  series: readonly LineSeries[];
}

export interface BarRow {
  arm: number;
  label: string;
  isBaseline: boolean;
  value: number | null;
  low: number | null;
  high: number | null;
  hollow: boolean;
  /** Why it is hollow or missing. */
  note: string | null;
}
export interface BarsData extends ChartBase {
  kind: 'bars';
  rows: readonly BarRow[];
  marks: readonly { value: number; label: string; kind: 'budget' | 'floor' }[];
  /** What low and high mean, e.g. "95 % interval over blocks". */
  intervalOf: string | null;
}

export interface DotRow {
  arm: number;
  label: string;
  dots: readonly { block: number; value: number; hollow: boolean; note: string | null }[];
  mean: number | null;
  low: number | null;
  high: number | null;
  verdict: string | null;
}
/** Ratios to the baseline, which is the dashed line at 1. */
export interface DotsData extends ChartBase {
  kind: 'dots';
  rows: readonly DotRow[];
  /** Within it a difference counts as none. */
  band: readonly [number, number];
}

export interface FrontierSeries {
  arm: number;
  label: string;
  isBaseline: boolean;
  points: readonly { x: number; y: number; load: string; hollow: boolean; note: string | null }[];
}
export interface FrontierData extends ChartBase {
  kind: 'frontier';
  x: { label: string; unit: string };
  limit: { value: number; label: string } | null;
  series: readonly FrontierSeries[];
}

export type ChartData = LinesData | BarsData | DotsData | FrontierData;

/** At most so many lines; which ones is the reader's choice, the others stay in the table. */
export const MAX_LINES = 8;
