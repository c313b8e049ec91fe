import type { ChartInput } from '@/app/_charts/chart-input';
import type { ChartSpec } from '@/app/_charts/chart-spec';
import { ChartView } from '@/app/_charts/chart-view';
import { CHARTS } from '@/app/_charts/specs';

const byId: ReadonlyMap<string, ChartSpec> = new Map(CHARTS.map((chart) => [chart.id, chart]));

interface Props {
  ids: readonly string[];
  run: ChartInput;
  status: string | null;
}

/** The named charts in two columns. */
export function ChartGrid({ ids, run, status }: Props) {
  const baseline = run.arms.length > 1 ? (run.arms.find((arm) => arm.isBaseline)?.index ?? null) : null;
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      {ids.map((id) => {
        const spec = byId.get(id);
        if (!spec) throw new Error(`No chart has the id ${id}.`);
        return <ChartView key={id} spec={spec} run={run} baseline={baseline} status={status} />;
      })}
    </div>
  );
}
