import type { ParamDescription } from '@/server/core/catalog/param';
import { isSweep, type PipelineNode } from '@/server/core/pipeline/document';
import { idleParamsOf, nodeTypeOf, paramsOf, titleOf } from './catalog';

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

/** A node's own name where it has one, else its type's title. */
export function nameOf(node: PipelineNode): string {
  const { name } = node.params;
  return typeof name === 'string' && name !== '' && nodeTypeOf(node.type) ? name : titleOf(node);
}

const isSet = (node: PipelineNode, name: string): boolean => {
  const value = node.params[name];
  return value !== undefined && value !== null && value !== false;
};

/** Shown on the node: not its name, no lists, and of switches only those that are on. */
const isShown = (param: ParamDescription): boolean => param.name !== 'name' && param.type !== 'list';
/** Lengths and counts say more about a load than its kind does. */
const weight = (param: ParamDescription): number =>
  param.kind === 'load' && param.type !== 'integer' && param.type !== 'number' ? 1 : 0;

/** The two or three parameters that matter: those the document sets first, then defaults that mean something. */
export function nodeRows(node: PipelineNode): NodeRow[] {
  if (!nodeTypeOf(node.type)) {
    return Object.entries(node.params)
      .slice(0, MAX_ROWS)
      .map(([label, value]) => ({ label, value: valueText(value) }));
  }
  const idle = idleParamsOf(node);
  const params = paramsOf(node.type).filter((param) => isShown(param) && !idle.has(param.name));
  const set = params.filter((param) => isSet(node, param.name)).sort((a, b) => weight(a) - weight(b));
  const defaulted = params.filter(
    (param) => !isSet(node, param.name) && param.default !== null && param.kind !== 'load',
  );
  const chosen = [...set, ...(set.length >= 2 ? [] : defaulted)].slice(0, MAX_ROWS);
  return chosen.map((param) => ({
    value: paramText(param, isSet(node, param.name) ? node.params[param.name] : param.default),
    label: rowLabel(param),
  }));
}

/** Facts of an own model are many: of them only where they come from. */
function paramText(param: ParamDescription, value: unknown): string {
  const isFacts = param.control === 'model-facts' && typeof value === 'object' && value !== null && 'source' in value;
  return isFacts ? String(value.source) : valueText(value);
}

/** The unit where it alone tells what the number is, else the parameter's label. */
const rowLabel = (param: ParamDescription): string => {
  const label = param.label.toLowerCase();
  return param.unit === null || param.unit === 'tokens' || param.unit === 's' ? label : param.unit;
};
