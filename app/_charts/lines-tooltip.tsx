import { cn } from '@/app/_ui/cn';
import { decimalsFor, formatFixed, formatPercent } from '@/app/_ui/format';
import { ArmSwatch } from './arm-swatch';
import type { LinesData } from './chart-data';
import { readingsAt } from './readings';

/** All series at one x, highest first, with their change against the baseline at that x. */
export function LinesTooltip({ data, x, unit }: { data: LinesData; x: number; unit: string }) {
  const readings = readingsAt(data.series, x);
  if (readings.length === 0) return null;
  const decimals = decimalsFor(readings.map((r) => r.value));
  const where = data.x.ticks?.find((tick) => tick.value === x)?.label ?? `${formatFixed(x, 0)} ${data.x.unit}`;
  const block = data.edges.filter((edge) => edge.x <= x).at(-1)?.label ?? (data.edges.length > 0 ? 'block 1' : null);
  return (
    // The other charts follow with their crosshair; only the one in hand shows its figures.
    <div className="hidden rounded-md border border-line-strong bg-panel px-2 py-1.5 text-xs shadow-float group-focus-within/chart:block group-hover/chart:block">
      <p className="mono mb-1 text-faint">
        {where}
        {block ? ` · ${block}` : ''}
      </p>
      <table>
        <tbody>
          {readings.map((r) => (
            <tr key={`${r.arm}-${r.weight}`}>
              <td className="pr-3">
                <ArmSwatch arm={r.arm} isBaseline={r.isBaseline} thin={r.weight === 'thin'} /> {r.label}
                {r.weight === 'thin' ? <span className="text-faint"> p99</span> : null}
                {r.hollow ? <span className="text-faint"> (not valid)</span> : null}
              </td>
              <td className="mono text-right">
                {formatFixed(r.value, decimals)} <span className="text-faint">{unit}</span>
              </td>
              <td className={cn('mono pl-3 text-right text-dim')}>
                {r.isBaseline ? 'baseline' : formatPercent(r.changePercent)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
