'use client';

import { Rows3, Undo2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { Tooltip } from '@/app/_ui/tooltip';
import type { ParamDescription } from '@/server/core/catalog/param';
import { isSweep, type PipelineNode } from '@/server/core/pipeline/document';
import { setParam } from '../actions/set-param';
import { useBuilder, useUi } from '../builder-context';
import { ParamControl } from './param-control';
import { flagLines } from './param-flags';
import { checkValue, rangeText } from './parse-value';
import { firstSweep, SweepControl } from './sweep-control';

const KINDS: Readonly<Record<ParamDescription['kind'], string>> = {
  launch: 'Set when the engine starts: another value is another plan.',
  request: 'Sent with each request.',
  load: 'Describes the traffic, not the engine.',
};

/** One parameter of one node: label, unit, control, sweep, range, what it does and what it becomes. */
export function ParamField({ node, param }: { node: PipelineNode; param: ParamDescription }) {
  const { document, ui } = useBuilder();
  const id = useId();
  const wanted = useUi(({ focusField }) => focusField?.nodeId === node.id && focusField.field === param.name);
  useEffect(() => {
    if (!wanted) return;
    window.document.getElementById(id)?.focus();
    ui.setState({ focusField: null });
  }, [wanted, id, ui]);
  const [typed, setTyped] = useState<string | null>(null);
  const finding = useUi((state) =>
    state.findingsByNode.get(node.id)?.find((other) => other.field === param.name && other.severity !== 'info'),
  );
  const value = node.params[param.name];
  const sweep = isSweep(value) ? value : null;
  const set = (next: unknown) => document.dispatch(setParam, { nodeId: node.id, field: param.name, value: next });
  const problem = typed ?? (sweep ? null : checkValue(node.type, param.name, value)) ?? finding?.message ?? null;
  const ids = {
    id,
    'aria-describedby': `${id}-about`,
    'aria-invalid': problem !== null && finding?.severity !== 'warning' ? (true as const) : undefined,
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1" data-field={param.name}>
      <div className="flex items-center gap-1.5">
        <label htmlFor={id} className="min-w-0 break-words">
          {param.label}
        </label>
        {param.unit ? <span className="text-xs text-faint">{param.unit}</span> : null}
        <span title={KINDS[param.kind]} className="mono ml-auto text-[11px] text-faint">
          {param.kind}
        </span>
        <FieldTools
          param={param}
          isSet={value !== undefined}
          isSweep={sweep !== null}
          onSweep={() => set(sweep ? sweep.$sweep[0] : firstSweep(param, value))}
          onReset={() => set(undefined)}
        />
      </div>
      {sweep ? (
        <SweepControl ids={ids} type={node.type} param={param} sweep={sweep} onValue={set} onProblem={setTyped} />
      ) : (
        <ParamControl ids={ids} type={node.type} param={param} value={value} onValue={set} onProblem={setTyped} />
      )}
      <div id={`${id}-about`} className="grid gap-0.5 text-xs text-dim">
        <p>
          {param.description}
          {rangeText(param) ? <span className="mono"> {rangeText(param)}</span> : null}
        </p>
        <FieldFlags nodeId={node.id} field={param.name} />
        {problem ? (
          <p role="status" className={finding?.severity === 'warning' && typed === null ? 'text-warn' : 'text-error'}>
            {problem}
          </p>
        ) : null}
      </div>
    </div>
  );
}

interface FieldToolsProps {
  param: ParamDescription;
  isSet: boolean;
  isSweep: boolean;
  onSweep: () => void;
  onReset: () => void;
}

const toolStyle = 'rounded-sm border border-transparent p-0.5 text-faint hover:bg-grid hover:text-ink';

function FieldTools({ param, isSet, isSweep: swept, onSweep, onReset }: FieldToolsProps) {
  return (
    <>
      {isSet ? (
        <Tooltip content="Back to the default">
          <button
            type="button"
            aria-label={`Back to the default of ${param.label}`}
            onClick={onReset}
            className={toolStyle}
          >
            <Undo2 aria-hidden className="size-3.5" />
          </button>
        </Tooltip>
      ) : null}
      {param.sweep ? (
        <Tooltip content={swept ? 'Use one value' : 'Sweep: try several values side by side'}>
          <button
            type="button"
            aria-label={`Sweep ${param.label}`}
            aria-pressed={swept}
            onClick={onSweep}
            className={cn(toolStyle, swept && 'border-accent bg-accent-soft text-accent')}
          >
            <Rows3 aria-hidden className="size-3.5" />
          </button>
        </Tooltip>
      ) : null}
    </>
  );
}

function FieldFlags({ nodeId, field }: { nodeId: string; field: string }) {
  const compiled = useUi((state) => state.compiled);
  const lines = flagLines(compiled, nodeId, field);
  if (lines.length === 0) return null;
  return <p className="mono text-[11px] break-all text-faint">→ {lines.map((line) => line.text).join(' · ')}</p>;
}
