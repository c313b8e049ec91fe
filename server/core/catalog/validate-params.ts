import type { z } from 'zod';
import { isSweep, type PipelineNode } from '../pipeline/document';
import { canonicalText } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import type { NodeType, ParamKind } from './node-type';
import { describeParams, type ParamDescription } from './param';

export interface ParamSweep {
  field: string;
  kind: ParamKind;
  values: unknown[];
}
export interface ValidatedParams {
  /** A value for every parameter: the document's where it is valid, else the default. Swept ones hold the first value. */
  values: Record<string, unknown>;
  sweeps: ParamSweep[];
  findings: Finding[];
}

const range = (p: ParamDescription): string => {
  if (p.min !== null && p.max !== null) return ` from ${p.min} to ${p.max}`;
  if (p.min !== null) return ` of at least ${p.min}`;
  return p.max !== null ? ` of at most ${p.max}` : '';
};

function expected(p: ParamDescription, issue: string): string {
  if (p.type === 'enum') return `one of ${p.options?.join(', ')}`;
  if (p.type === 'integer') return `a whole number${range(p)}`;
  if (p.type === 'number') return `a number${range(p)}`;
  if (p.type === 'boolean') return 'true or false';
  if (p.type === 'object') return `facts of a model (${issue})`;
  return p.type === 'list' ? `a list (${issue})` : `a text (${issue})`;
}

interface Checked {
  values: unknown[];
  findings: Finding[];
}

/** Validates each value of one parameter; a value that is left out is the default. */
function check(schema: z.ZodType, p: ParamDescription, raws: readonly unknown[], nodeId: string): Checked {
  const values: unknown[] = [];
  const findings: Finding[] = [];
  for (const raw of raws) {
    const parsed = schema.safeParse(raw);
    if (parsed.success) values.push(parsed.data);
    else {
      const issue = parsed.error.issues[0]?.message ?? 'not valid';
      const message = `${p.label} must be ${expected(p, issue)}, not ${JSON.stringify(raw) ?? String(raw)}.`;
      const fix = {
        label: `Use ${JSON.stringify(p.default)}`,
        edits: [{ op: 'set-param' as const, nodeId, field: p.name, value: p.default }],
      };
      findings.push(finding('error', 'invalid-param', message, { nodeId, field: p.name, fix }));
    }
  }
  return { values, findings };
}

function sweepFault(p: ParamDescription, values: readonly unknown[]): string | null {
  if (p.sweep === null) return `${p.label} cannot be swept.`;
  return values.length === 0 ? `The sweep of ${p.label} has no values.` : null;
}

const distinct = (values: unknown[]): unknown[] =>
  values.length < 2 ? values : [...new Map(values.map((value) => [canonicalText(value), value])).values()];

function unknownFields(nodeType: NodeType, node: PipelineNode): Finding[] {
  return Object.keys(node.params)
    .filter((field) => !Object.hasOwn(nodeType.params.shape, field))
    .map((field) =>
      finding('warning', 'unknown-param', `${nodeType.title} has no parameter "${field}"; it is ignored.`, {
        nodeId: node.id,
        field,
        fix: { label: 'Remove it', edits: [{ op: 'set-param', nodeId: node.id, field, value: undefined }] },
      }),
    );
}

/** Parameters that were set and mean nothing beside the others. */
function withoutEffect(nodeType: NodeType, node: PipelineNode, values: Record<string, unknown>): Finding[] {
  const idle = nodeType.withoutEffect?.(values) ?? [];
  if (idle.length === 0) return [];
  return describeParams(nodeType)
    .filter((p) => idle.includes(p.name) && Object.hasOwn(node.params, p.name))
    .filter((p) => canonicalText(node.params[p.name]) !== canonicalText(p.default))
    .map((p) => {
      const message = `${p.label} has no effect beside the other parameters of ${nodeType.title}.`;
      const fix = {
        label: 'Remove it',
        edits: [{ op: 'set-param' as const, nodeId: node.id, field: p.name, value: undefined }],
      };
      return finding('info', 'param-without-effect', message, { nodeId: node.id, field: p.name, fix });
    });
}

/** Parameters that do not go together, a repository that nobody named say. */
function faults(nodeType: NodeType, node: PipelineNode, values: Record<string, unknown>): Finding[] {
  return (nodeType.faults?.(values) ?? []).map(({ field, message }) =>
    finding('error', 'params-clash', message, { nodeId: node.id, field }),
  );
}

/** Validates a node's parameters against its type: values with defaults filled in, sweeps, and what is wrong. */
export function validateParams(nodeType: NodeType, node: PipelineNode): ValidatedParams {
  const result: ValidatedParams = { values: {}, sweeps: [], findings: unknownFields(nodeType, node) };
  for (const p of describeParams(nodeType)) {
    const schema = nodeType.params.shape[p.name] as z.ZodType;
    const raw = Object.hasOwn(node.params, p.name) ? node.params[p.name] : undefined;
    const swept = isSweep(raw);
    const fault = swept ? sweepFault(p, raw.$sweep) : null;
    if (fault) result.findings.push(finding('error', 'invalid-sweep', fault, { nodeId: node.id, field: p.name }));
    const checked = check(schema, p, swept ? (fault ? [] : raw.$sweep) : [raw], node.id);
    result.findings.push(...checked.findings);
    const values = distinct(checked.values);
    result.values[p.name] = values.length > 0 ? values[0] : schema.parse(undefined);
    if (swept && values.length > 1) result.sweeps.push({ field: p.name, kind: p.kind, values });
  }
  result.findings.push(...faults(nodeType, node, result.values), ...withoutEffect(nodeType, node, result.values));
  return result;
}
