import { type ReactElement, useMemo } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { CHART_HEIGHT, GRID_COLOR, TICK, tickText } from './axis';
import type { LinesData } from './chart-data';
import { chartRows, dotField, niceTicks, valueField } from './chart-rows';
import { LinesTooltip } from './lines-tooltip';
import { armColor, BASELINE_DASH } from './palette';

interface DotProps {
  cx?: number;
  cy?: number;
  payload?: unknown;
}

/** Draws only the points that no line shows, and those that are not to be trusted. */
function pointDot(index: number, color: string) {
  return ({ cx, cy, payload }: DotProps): ReactElement => {
    const row = payload as Record<string, unknown> | undefined;
    const kind = row?.[dotField(index)];
    const key = `${index}-${String(row?.x)}`;
    if (cx === undefined || cy === undefined || !kind) return <g key={key} />;
    return kind === 'hollow' ? (
      <circle key={key} cx={cx} cy={cy} r={2.5} fill="var(--panel)" stroke={color} strokeWidth={1} />
    ) : (
      <circle key={key} cx={cx} cy={cy} r={1.8} fill={color} />
    );
  };
}

function xTicks(data: LinesData): number[] {
  if (data.x.ticks) return data.x.ticks.map((tick) => tick.value);
  const [from, to] = data.x.domain;
  return niceTicks(to, 6).filter((tick) => tick >= from && tick <= to);
}

export function DrawLines({ data, unit }: { data: LinesData; unit: string }) {
  const rows = useMemo(() => chartRows(data.series), [data.series]);
  const ys = data.series.flatMap((s) => s.points.flatMap((p) => (p.y === null ? [] : [p.y])));
  const yTicks = niceTicks(Math.max(...ys));
  const ticks = xTicks(data);
  const xText = (value: number): string =>
    data.x.ticks?.find((tick) => tick.value === value)?.label ?? (value === 0 ? `0 ${data.x.unit}` : String(value));
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT} initialDimension={{ width: 600, height: CHART_HEIGHT }}>
      <LineChart
        data={rows}
        margin={{ top: 6, right: 12, bottom: 0, left: 0 }}
        syncId={data.x.label}
        syncMethod="value"
      >
        <CartesianGrid vertical={false} stroke={GRID_COLOR} />
        <XAxis
          dataKey="x"
          type="number"
          domain={[...data.x.domain]}
          ticks={ticks}
          interval="preserveStartEnd"
          tickFormatter={xText}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          height={20}
          padding={data.x.ticks ? { left: 24, right: 24 } : undefined}
        />
        <YAxis
          width={44}
          domain={[0, yTicks.at(-1) ?? 1]}
          ticks={yTicks}
          tickFormatter={tickText(yTicks)}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        {data.edges.map((edge) => (
          <ReferenceLine
            key={edge.x}
            x={edge.x}
            stroke="var(--line)"
            strokeWidth={1}
            label={{ value: edge.label, position: 'insideBottomLeft', fontSize: 10, fill: 'var(--faint)' }}
          />
        ))}
        {data.liveX === null ? null : (
          <ReferenceLine
            x={data.liveX}
            stroke="var(--accent)"
            strokeDasharray="2 3"
            label={{ value: 'live', position: 'insideTopLeft', fontSize: 10, fill: 'var(--accent)' }}
          />
        )}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          wrapperStyle={{ zIndex: 20, outline: 'none' }}
          content={({ active, label }) =>
            active && label !== undefined ? <LinesTooltip data={data} x={Number(label)} unit={unit} /> : null
          }
        />
        {data.series.map((s, index) => {
          const color = armColor(s.arm, s.isBaseline);
          return (
            <Line
              key={`${s.arm}-${s.weight}`}
              dataKey={valueField(index)}
              name={s.label}
              type="linear"
              stroke={color}
              strokeWidth={s.weight === 'thin' ? 0.8 : 1.6}
              strokeOpacity={s.weight === 'thin' ? 0.75 : 1}
              strokeDasharray={s.isBaseline ? BASELINE_DASH : undefined}
              dot={pointDot(index, color)}
              activeDot={{ r: 2.5, strokeWidth: 0, fill: color }}
              connectNulls={false}
              isAnimationActive={false}
            />
          );
        })}
      </LineChart>
    </ResponsiveContainer>
  );
}
