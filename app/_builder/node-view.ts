import { isSweep, type PipelineNode } from '@/server/core/pipeline/document';
import { nodeTypeOf, paramsOf } from './catalog';

/** One line on a node's body: a value and, dimmer, what it is. */
export interface NodeRow {
  value: string;
  label: string;
}

const MAX_ROWS = 3;

/** A parameter's value as text: sweeps as `Q8_0 · Q4_K_M`, on and off for switches. */
export function valueText(value: unknown): string {
  if (isSweep(value)) return value.$sweep.map(valueText).join(' · ') || 'empty sweep';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (value === null || value === undefined) return 'not set';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The two or three parameters that matter: those the document sets first, then defaults that mean something. */
export function nodeRows(node: PipelineNode): NodeRow[] {
  const params = paramsOf(node.type);
  if (!nodeTypeOf(node.type)) {
    return Object.entries(node.params)
      .slice(0, MAX_ROWS)
      .map(([label, value]) => ({ label, value: valueText(value) }));
  }
  const isSet = (name: string) => node.params[name] !== undefined && node.params[name] !== null;
  const set = params.filter((param) => isSet(param.name));
  const defaulted = params.filter((param) => !isSet(param.name) && param.default !== null && param.kind !== 'load');
  const chosen = [...set, ...(set.length >= 2 ? [] : defaulted)].slice(0, MAX_ROWS);
  return chosen.map((param) => ({
    value: valueText(isSet(param.name) ? node.params[param.name] : param.default),
    label: param.unit ?? param.label.toLowerCase(),
  }));
}
