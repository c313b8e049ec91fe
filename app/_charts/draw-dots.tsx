import { ReferenceArea, ReferenceLine, ResponsiveContainer, Scatter, ScatterChart, XAxis, YAxis } from 'recharts';
import { formatFixed } from '@/app/_ui/format';
import { CHART_HEIGHT, NAME_WIDTH, TICK, tickText } from './axis';
import type { DotsData } from './chart-data';
import { niceTicks } from './chart-rows';
import { armColor, BASELINE_COLOR, BASELINE_DASH } from './palette';
import { rowFigures, rowNames } from './row-axis';

interface ShapeProps {
  cx?: number;
  cy?: number;
  payload?: { hollow: boolean; color: string; note: string | null; block: number; value: number };
}

function DotShape({ cx, cy, payload }: ShapeProps) {
  if (!payload) return null;
  return (
    <circle cx={cx} cy={cy} r={3} fill={payload.hollow ? 'var(--panel)' : payload.color} stroke={payload.color}>
      <title>
        {`block ${payload.block + 1}: ${formatFixed(payload.value, 2)}×${payload.note ? `, not valid: ${payload.note}` : ''}`}
      </title>
    </circle>
  );
}

const FIGURE_WIDTH = 128;

export function DrawDots({ data }: { data: DotsData }) {
  const values = data.rows.flatMap((r) => [...r.dots.map((d) => d.value), r.high ?? 0]);
  const ticks = niceTicks(Math.max(...values, data.band[1]));
  const figures = data.rows.map((r) => ({
    text:
      r.mean === null
        ? '–'
        : `${formatFixed(r.mean, 2)}×${r.low === null || r.high === null ? '' : ` ${formatFixed(r.low, 2)}–${formatFixed(r.high, 2)}`}`,
    title: r.verdict,
    dim: r.mean === null,
  }));
  const rowIndexes = data.rows.map((_, i) => i);
  const rowAxis = {
    type: 'number',
    dataKey: 'row',
    domain: [-0.5, data.rows.length - 0.5],
    ticks: rowIndexes,
    reversed: true,
    interval: 0,
    tickLine: false,
    axisLine: false,
  } as const;
  return (
    <ResponsiveContainer
      width="100%"
      height={Math.max(CHART_HEIGHT, data.rows.length * 24 + 36)}
      initialDimension={{ width: 600, height: CHART_HEIGHT }}
    >
      <ScatterChart margin={{ top: 8, right: 4, bottom: 0, left: 0 }}>
        <XAxis
          type="number"
          dataKey="value"
          domain={[0, ticks.at(-1) ?? 1]}
          ticks={ticks}
          tickFormatter={(value: number) => `${tickText(ticks)(value)}×`}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          height={20}
        />
        <YAxis {...rowAxis} width={NAME_WIDTH} tick={rowNames(data.rows.map((r) => r.label))} />
        <YAxis
          {...rowAxis}
          yAxisId="figures"
          orientation="right"
          width={FIGURE_WIDTH}
          tick={rowFigures(figures, FIGURE_WIDTH - 10)}
        />
        <ReferenceArea x1={data.band[0]} x2={data.band[1]} fill="var(--grid)" fillOpacity={1} />
        <ReferenceLine x={1} stroke={BASELINE_COLOR} strokeDasharray={BASELINE_DASH} strokeWidth={1.2} />
        {data.rows.map((row, y) =>
          row.low === null || row.high === null ? null : (
            <ReferenceLine
              key={row.arm}
              segment={[
                { x: row.low, y },
                { x: row.high, y },
              ]}
              stroke={armColor(row.arm, false)}
              strokeWidth={2}
              strokeOpacity={0.55}
            />
          ),
        )}
        {data.rows.map((row, y) => (
          <Scatter
            key={row.arm}
            name={row.label}
            data={row.dots.map((dot) => ({ ...dot, row: y, color: armColor(row.arm, false) }))}
            shape={DotShape}
            isAnimationActive={false}
          />
        ))}
        {/* An axis without points is not drawn. */}
        <Scatter
          yAxisId="figures"
          data={rowIndexes.map((row) => ({ row, value: 1 }))}
          shape={() => <g />}
          isAnimationActive={false}
        />
      </ScatterChart>
    </ResponsiveContainer>
  );
}
