'use client';

import { quote } from 'shell-quote';
import { Badge } from '@/app/_ui/badge';
import { CopyButton } from '@/app/_ui/copy-button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Loading } from '@/app/_ui/loading';
import { ScrollRegion } from '@/app/_ui/scroll-region';
import type { Checkpoint, Component, Plan } from '@/server/core/plan/plan';
import { useBuilder, useDocument, useUi } from '../builder-context';
import { LOSS_WORDS } from '../inspector/technique-facts';
import { nameOf, valueText } from '../node-view';
import { planColor } from '../plan-color';
import { revealNode } from '../ui-store';

/** Every compiled plan: command with the node behind each flag, checkpoints, request defaults, settings. */
export function PlansView({ onShowNode }: { onShowNode: () => void }) {
  const compiled = useUi((state) => state.compiled);
  if (!compiled) return <Loading what="the plans" />;
  if (compiled.plans.length === 0) {
    return (
      <div className="p-4">
        <EmptyState title="This graph makes no plan yet">
          A deployment needs a model, an engine and hardware. The problems under the graph say what is missing.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="mx-auto grid max-w-5xl gap-3 p-4">
      {compiled.plans.map((plan, index) => (
        <PlanCard key={plan.deployment} plan={plan} color={planColor(index, plan.isBaseline)} onShowNode={onShowNode} />
      ))}
    </div>
  );
}

interface PlanCardProps {
  plan: Plan;
  color: string;
  onShowNode: () => void;
}

function PlanCard({ plan, color, onShowNode }: PlanCardProps) {
  return (
    <article
      aria-label={plan.label}
      className="grid gap-3 rounded-md border border-l-3 bg-panel px-4 py-3"
      style={{ borderLeftColor: color, borderLeftStyle: plan.isBaseline ? 'dashed' : 'solid' }}
    >
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-base">{plan.label}</h2>
        <span className="mono text-dim">{plan.deployment}</span>
        {plan.isBaseline ? <Badge>baseline</Badge> : null}
        <Badge>{LOSS_WORDS[plan.loss]}</Badge>
        <span className="mono ml-auto text-faint" title={`plan ${plan.planHash}\nlaunch ${plan.launchHash}`}>
          {plan.planHash.slice(0, 12)}
        </span>
      </header>
      {plan.components.map((component) => (
        <ComponentCommand key={component.name} plan={plan} component={component} onShowNode={onShowNode} />
      ))}
      <Facts plan={plan} />
    </article>
  );
}

interface ComponentCommandProps {
  plan: Plan;
  component: Component;
  onShowNode: () => void;
}

function ComponentCommand({ plan, component, onShowNode }: ComponentCommandProps) {
  return (
    <section aria-label={`${component.name} of ${plan.deployment}`} className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2 text-xs text-dim">
        <h3>
          {component.name === component.role ? component.role : `${component.name} · ${component.role}`}:{' '}
          {component.engine} {component.engineVersion}
          {component.runtime ? ` · ${component.runtime}` : ''} on {component.hardware.count} × {component.hardware.id}
          {component.replicas > 1 ? ` · ${component.replicas} replicas` : ''}
        </h3>
        {component.argv.length > 0 ? (
          <span className="ml-auto">
            <CopyButton text={quote([...component.argv])} label="Copy command" />
          </span>
        ) : null}
      </div>
      {component.image ? <p className="mono text-dim">{component.image}</p> : null}
      <ScrollRegion
        label={`Arguments of ${component.name} in ${plan.deployment}`}
        className="overflow-x-auto rounded-md bg-grid px-3 py-2"
      >
        <table className="mono">
          <tbody>
            {component.args.map((arg) => (
              <tr key={`${arg.scope} ${arg.flag} ${arg.value}`}>
                <td className="pr-4 whitespace-nowrap">
                  {arg.flag}
                  {arg.value === null ? '' : ` ${arg.value}`}
                </td>
                <td className="pr-4 whitespace-nowrap">
                  <Origin nodeId={arg.nodeId} onShowNode={onShowNode} />
                </td>
                <td className="whitespace-nowrap text-dim">
                  {[arg.isDefault ? 'the same as the default' : null, arg.note].filter(Boolean).join(' · ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function Origin({ nodeId, onShowNode }: { nodeId: string | null; onShowNode: () => void }) {
  const { ui } = useBuilder();
  const node = useDocument((state) => state.pipeline.nodes.find((other) => other.id === nodeId));
  if (!node) return <span className="text-dim">{nodeId ?? 'engine'}</span>;
  const show = () => {
    onShowNode();
    revealNode(ui, node.id);
  };
  return (
    <button type="button" onClick={show} className="text-accent underline-offset-2 hover:underline">
      {nameOf(node)}
    </button>
  );
}

const checkpointText = (checkpoint: Checkpoint): string =>
  `${checkpoint.model} · ${checkpoint.format} · ${checkpoint.source === 'recipe' ? `made by ${checkpoint.recipe?.tool ?? 'a recipe'}` : checkpoint.repo}`;

function Facts({ plan }: { plan: Plan }) {
  const env = plan.components.flatMap((component) => Object.entries(component.env));
  const rows: [string, string][] = [
    ...plan.checkpoints.map((checkpoint): [string, string] => [
      `weights (${checkpoint.scope})`,
      checkpointText(checkpoint),
    ]),
    ...Object.entries(plan.request).map(([name, value]): [string, string] => [`request ${name}`, valueText(value)]),
    ...env.map(([name, value]): [string, string] => [`environment ${name}`, value]),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className="grid gap-x-4 gap-y-0.5 text-xs sm:grid-cols-[max-content_minmax(0,1fr)]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-dim">{name}</dt>
          <dd className="mono break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
