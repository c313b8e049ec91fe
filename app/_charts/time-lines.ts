import type { SecondRow } from '@/server/core/metrics/records';
import type { LinePoint, LineSeries, LinesData } from './chart-data';
import { type ChartInput, type ChartTrial, currentTrial } from './chart-input';

type Read = (row: SecondRow) => number | null;

/** One-second rows of a trial's window as points; a second without a row, or without a value, is a gap. */
function trialPoints(trial: ChartTrial, offset: number, windowS: number, read: Read): LinePoint[] {
  const points: LinePoint[] = [];
  const hollow = trial.valid === false;
  let expected: number | null = null;
  for (const row of trial.seconds) {
    if (row.t < 0 || row.t >= windowS) continue;
    if (expected !== null && row.t > expected) points.push({ x: offset + expected, y: null, hollow });
    points.push({ x: offset + row.t, y: read(row), hollow });
    expected = row.t + 1;
  }
  return points;
}

/** An arm's blocks side by side, cut apart so that no line runs from one engine start to the next. */
function armPoints(run: ChartInput, arm: number, read: Read): LinePoint[] {
  const points: LinePoint[] = [];
  for (let block = 0; block < blocksSeen(run); block += 1) {
    const trial = currentTrial(run, arm, block);
    if (!trial) continue;
    const own = trialPoints(trial, block * run.windowS, run.windowS, read);
    const previous = points.at(-1);
    const first = own[0];
    if (previous && first) points.push({ x: (previous.x + first.x) / 2, y: null, hollow: false });
    points.push(...own);
  }
  return points;
}

const blocksSeen = (run: ChartInput): number => run.trials.reduce((n, t) => Math.max(n, t.block + 1), run.blocks);

function liveEdge(run: ChartInput): number | null {
  const trial = run.trials.find((t) => t.state === 'measuring' && !t.superseded);
  if (!trial) return null;
  const t = trial.seconds.at(-1)?.t ?? 0;
  return trial.block * run.windowS + Math.max(0, Math.min(t, run.windowS));
}

/**
 * Lines over measured time. The trials of a block run one after another, so the x axis is not the clock: it counts
 * the seconds in which each plan was itself measured, block after block. Nothing is averaged.
 */
export function timeLines(
  run: ChartInput,
  stats: readonly { weight: LineSeries['weight']; read: Read }[],
  words: { empty: string; note: string | null },
): LinesData {
  const series = run.arms.flatMap((arm) =>
    stats.map(({ weight, read }) => ({
      arm: arm.index,
      label: arm.label,
      isBaseline: arm.isBaseline,
      weight,
      points: armPoints(run, arm.index, read),
    })),
  );
  const blocks = blocksSeen(run);
  return {
    kind: 'lines',
    empty: series.some((s) => s.points.some((p) => p.y !== null)) ? null : words.empty,
    note: words.note,
    x: { label: 'seconds measured, blocks side by side', unit: 's', domain: [0, blocks * run.windowS], ticks: null },
    edges: Array.from({ length: blocks - 1 }, (_, i) => ({ x: (i + 1) * run.windowS, label: `block ${i + 2}` })),
    liveX: liveEdge(run),
    series: series.filter((s) => s.points.some((p) => p.y !== null)),
  };
}
