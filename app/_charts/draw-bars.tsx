import { Bar, BarChart, ErrorBar, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { ABSENT, decimalsFor, formatFixed } from '@/app/_ui/format';
import { CHART_HEIGHT, NAME_WIDTH, TICK, tickText } from './axis';
import type { BarRow, BarsData } from './chart-data';
import { niceTicks } from './chart-rows';
import { armColor } from './palette';
import { rowFigures, rowNames } from './row-axis';

interface ShapeProps {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  payload?: BarRow;
}

/** A figure that is not to be trusted is an outline. The baseline's bar is neutral. */
function BarShape({ x = 0, y = 0, width = 0, height = 0, payload }: ShapeProps) {
  if (!payload || payload.value === null) return null;
  const color = armColor(payload.arm, payload.isBaseline);
  return (
    <rect
      x={x}
      y={y}
      width={Math.max(2, width)}
      height={height}
      rx={2}
      fill={payload.hollow ? 'var(--panel)' : color}
      fillOpacity={payload.isBaseline ? 0.55 : 1}
      stroke={payload.hollow ? color : undefined}
    />
  );
}

/** The full width behind a bar; none where a note stands in place of the bar. */
function BarTrack({ x = 0, y = 0, width = 0, height = 0, payload }: ShapeProps) {
  if (!payload || payload.value === null) return null;
  return <rect x={x} y={y} width={width} height={height} rx={2} fill="var(--grid)" />;
}

const FIGURE_WIDTH = 84;

export function DrawBars({ data }: { data: BarsData }) {
  const rows = data.rows.map((row, index) => ({
    ...row,
    index,
    whisker:
      row.value === null || row.low === null || row.high === null
        ? undefined
        : [row.value - row.low, row.high - row.value],
  }));
  const reach = [...data.rows.flatMap((r) => [r.value ?? 0, r.high ?? 0]), ...data.marks.map((m) => m.value)];
  const ticks = niceTicks(Math.max(...reach));
  const decimals = decimalsFor(data.rows.map((r) => r.value));
  const figures = data.rows.map((r) => ({
    text: r.value === null ? ABSENT : `${formatFixed(r.value, decimals)}${r.hollow ? '*' : ''}`,
    title: r.note,
    dim: r.value === null || r.hollow,
  }));
  const labels = data.rows.map((r) => r.label);
  const notes = data.rows.map((r) => (r.value === null ? r.note : null));
  const baseline = data.rows.find((r) => r.isBaseline)?.value ?? null;
  return (
    <ResponsiveContainer
      width="100%"
      height={Math.max(CHART_HEIGHT, rows.length * 24 + 36)}
      initialDimension={{ width: 600, height: CHART_HEIGHT }}
    >
      <BarChart data={rows} layout="vertical" margin={{ top: 14, right: 4, bottom: 0, left: 0 }} barSize={11}>
        <XAxis
          type="number"
          domain={[0, ticks.at(-1) ?? 1]}
          ticks={ticks}
          tickFormatter={tickText(ticks)}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          height={20}
        />
        <YAxis
          type="category"
          dataKey="index"
          width={NAME_WIDTH}
          tick={rowNames(labels, notes)}
          tickLine={false}
          axisLine={false}
          interval={0}
        />
        <YAxis
          yAxisId="figures"
          orientation="right"
          type="category"
          dataKey="index"
          width={FIGURE_WIDTH}
          tick={rowFigures(figures, FIGURE_WIDTH - 10)}
          tickLine={false}
          axisLine={false}
          interval={0}
        />
        <Bar dataKey="value" shape={BarShape} background={BarTrack} isAnimationActive={false}>
          <ErrorBar dataKey="whisker" stroke="var(--ink)" strokeWidth={1.5} width={3} isAnimationActive={false} />
        </Bar>
        <Bar yAxisId="figures" dataKey="none" isAnimationActive={false} legendType="none" />
        {baseline === null ? null : (
          <ReferenceLine x={baseline} stroke="var(--baseline)" strokeDasharray="5 4" strokeWidth={1.2} />
        )}
        {data.marks.map((mark) => (
          <ReferenceLine
            key={mark.kind}
            x={mark.value}
            stroke={mark.kind === 'budget' ? 'var(--worse)' : 'var(--faint)'}
            strokeWidth={1.4}
            label={{
              value: mark.label,
              position: 'top',
              fontSize: 10,
              fill: mark.kind === 'budget' ? 'var(--worse)' : 'var(--faint)',
            }}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
