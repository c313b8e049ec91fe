import {
  CartesianGrid,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatNumber } from '@/app/_ui/format';
import { CHART_HEIGHT, GRID_COLOR, TICK, tickText } from './axis';
import type { FrontierData, FrontierSeries } from './chart-data';
import { niceTicks } from './chart-rows';
import { armColor, BASELINE_DASH } from './palette';

type Shown = FrontierSeries['points'][number] & { label: string; color: string };

function PointShape({ cx, cy, payload }: { cx?: number; cy?: number; payload?: Shown }) {
  if (!payload) return null;
  return (
    <circle cx={cx} cy={cy} r={3.5} fill={payload.hollow ? 'var(--panel)' : payload.color} stroke={payload.color} />
  );
}

function PointTooltip({ point, data, unit }: { point: Shown; data: FrontierData; unit: string }) {
  return (
    <div className="rounded-md border border-line-strong bg-panel px-2 py-1.5 text-xs shadow-float">
      <p>{point.label}</p>
      <p className="text-faint">{point.load}</p>
      <p className="mono">
        {formatNumber(point.x)} <span className="text-faint">{data.x.unit}</span>, {formatNumber(point.y)}{' '}
        <span className="text-faint">{unit}</span>
      </p>
      {point.note ? <p className="text-dim">{point.note}</p> : null}
    </div>
  );
}

export function DrawFrontier({ data, unit }: { data: FrontierData; unit: string }) {
  const points = data.series.flatMap((s) => s.points);
  const xTicks = niceTicks(Math.max(...points.map((p) => p.x)));
  const yTicks = niceTicks(Math.max(...points.map((p) => p.y), data.limit?.value ?? 0));
  const axis = { type: 'number', tick: TICK, tickLine: false } as const;
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT} initialDimension={{ width: 600, height: CHART_HEIGHT }}>
      <ScatterChart margin={{ top: 6, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke={GRID_COLOR} />
        <XAxis
          {...axis}
          dataKey="x"
          domain={[0, xTicks.at(-1) ?? 1]}
          ticks={xTicks}
          tickFormatter={tickText(xTicks)}
          axisLine={{ stroke: 'var(--line)' }}
          height={20}
        />
        <YAxis
          {...axis}
          dataKey="y"
          width={44}
          domain={[0, yTicks.at(-1) ?? 1]}
          ticks={yTicks}
          tickFormatter={tickText(yTicks)}
          axisLine={false}
        />
        {data.limit ? (
          <>
            <ReferenceArea y1={data.limit.value} fill="var(--worse)" fillOpacity={0.06} />
            <ReferenceLine
              y={data.limit.value}
              stroke="var(--worse)"
              label={{ value: data.limit.label, position: 'insideTopRight', fontSize: 11, fill: 'var(--worse)' }}
            />
          </>
        ) : null}
        <Tooltip
          isAnimationActive={false}
          cursor={false}
          wrapperStyle={{ zIndex: 20, outline: 'none' }}
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as Shown | undefined;
            return active && point ? <PointTooltip point={point} data={data} unit={unit} /> : null;
          }}
        />
        {data.series.map((s) => {
          const color = armColor(s.arm, s.isBaseline);
          return (
            <Scatter
              key={s.arm}
              name={s.label}
              data={s.points.map((p): Shown => ({ ...p, label: s.label, color }))}
              shape={PointShape}
              line={{ stroke: color, strokeWidth: 1.4, strokeDasharray: s.isBaseline ? BASELINE_DASH : undefined }}
              isAnimationActive={false}
            />
          );
        })}
      </ScatterChart>
    </ResponsiveContainer>
  );
}
