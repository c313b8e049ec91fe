import { useId } from 'react';
import { ArmSwatch } from '@/app/_charts/arm-swatch';
import { loadText } from '@/app/_charts/chart-input';
import { DifferencesTable } from '@/app/_compare/differences-table';
import { CopyButton } from '@/app/_ui/copy-button';
import { formatBytes, formatDuration, formatNumber } from '@/app/_ui/format';
import { Switch } from '@/app/_ui/switch';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';
import { EffectiveTable } from './effective-table';
import type { LiveState } from './live-state';
import type { SetViewState, ViewState } from './view-state';
import type { ExperimentDetail } from './views';

interface Props {
  detail: ExperimentDetail;
  live: LiveState;
  view: ViewState;
  setView: SetViewState;
}

/** What was frozen and run: the plans side by side, their commands, the workload, the host. */
export function PlanTab({ detail, live, view, setView }: Props) {
  const { spec } = detail;
  const only = view.differences === 'only';
  const id = useId();
  return (
    <div className="grid gap-5">
      <section className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2>Plans side by side</h2>
          <label htmlFor={id} className="flex items-center gap-2 text-dim">
            <Switch
              id={id}
              checked={only}
              onCheckedChange={(on) => void setView({ differences: on ? 'only' : 'all' })}
            />
            Only differences
          </label>
        </div>
        <DifferencesTable plans={spec.arms} onlyDifferences={only} />
      </section>
      <section className="grid gap-2">
        <h2>Commands and effective configuration</h2>
        {spec.arms.map((plan, arm) => (
          <PlanDetails key={plan.deployment} plan={plan} arm={arm} detail={detail} live={live} />
        ))}
      </section>
      <section className="grid gap-2">
        <h2>Workloads</h2>
        {spec.workloads.map((workload) => (
          <WorkloadFacts key={workload.id} workload={workload} />
        ))}
      </section>
      <Environment detail={detail} />
    </div>
  );
}

function PlanDetails({
  plan,
  arm,
  detail,
  live,
}: {
  plan: Plan;
  arm: number;
  detail: ExperimentDetail;
  live: LiveState;
}) {
  const trials = Object.values(live.trials).filter((t) => t.arm === arm && !t.superseded);
  const effective = trials.sort((a, b) => b.block - a.block).find((t) => t.effective.length > 0)?.effective ?? [];
  return (
    <details className="rounded-md border bg-panel px-3 py-2">
      <summary className="cursor-pointer">
        <ArmSwatch arm={arm} isBaseline={plan.isBaseline} />
        {plan.label} <span className="mono text-faint">{plan.planHash.slice(0, 12)}</span>
      </summary>
      <div className="mt-2 grid gap-3">
        {plan.components.map((component) => {
          const command = component.argv.join(' ');
          return (
            <div key={component.name} className="grid gap-1">
              <p className="text-dim">
                {component.name}: {component.engine} {component.engineVersion}
                {component.runtime ? `, ${component.runtime}` : ''}
                {component.image ? <span className="mono"> {component.image}</span> : null}
              </p>
              {command ? (
                <>
                  <pre className="overflow-x-auto rounded-md border bg-bg p-2">{command}</pre>
                  <div>
                    <CopyButton text={command} label="Copy the command" />
                  </div>
                </>
              ) : null}
            </div>
          );
        })}
        <EffectiveTable rows={effective} pipelineId={detail.pipelineId} />
      </div>
    </details>
  );
}

function Facts({ rows }: { rows: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 rounded-md border bg-panel px-3 py-2">
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-dim">{name}</dt>
            <dd className="mono min-w-0 break-words">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function WorkloadFacts({ workload }: { workload: Workload }) {
  return (
    <Facts
      rows={[
        ['name', `${workload.title} (${workload.role})`],
        ['endpoint', workload.endpoint],
        [
          'input',
          `${formatNumber(workload.inputTokens)} tokens, ${workload.prefixTokens} of them shared by all requests`,
        ],
        ['output', `${formatNumber(workload.outputTokens)} tokens${workload.ignoreEos ? ', length fixed' : ''}`],
        ['load', workload.loads.map(loadText).join('; ')],
        ['measured', `${formatDuration(workload.windowS)} after ${formatDuration(workload.warmupS)} of warm-up`],
        [
          'SLO',
          workload.slos.length === 0
            ? 'none'
            : workload.slos.map((s) => `${s.metric} p${s.percentile} ≤ ${s.limitMs} ms`).join('; '),
        ],
      ]}
    />
  );
}

function Environment({ detail }: { detail: ExperimentDetail }) {
  const { host, spec } = detail;
  const workers = [...new Set(detail.blocks.flatMap((block) => block.worker?.name ?? []))];
  return (
    <section className="grid gap-2">
      <h2>Environment</h2>
      <Facts
        rows={[
          ['seed', String(spec.seed)],
          ['pipeline', spec.pipelineHash],
          ['blocks', `${spec.blocks}, no difference within ±${spec.equivalencePercent} %`],
          ['judged by', spec.primaryMetrics.join(', ')],
          ['quality budget', spec.qualityBudgetKl === null ? 'none' : `KL ${spec.qualityBudgetKl}`],
          ['worker', workers.join(', ') || null],
          ['CPU', host && `${host.cpuModel}, ${host.cores} cores`],
          ['memory', host && formatBytes(host.memoryBytes)],
          [
            'devices',
            host && (host.devices.map((d) => `${d.name}, ${formatBytes(d.memoryBytes)}`).join('; ') || 'none'),
          ],
          ['system', host?.os ?? null],
          ['hardware fingerprint', host?.fingerprint ?? null],
        ]}
      />
    </section>
  );
}
