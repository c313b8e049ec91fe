import { NODE_TYPES } from '../catalog/index';
import type { CheckpointRequest, NodeType } from '../catalog/node-type';
import { describeParams } from '../catalog/param';
import { hashOf } from '../plan/canonical';

/** A weights technique with the parameters under which it asks for one format from one source. */
export interface WeightsTechnique {
  type: NodeType;
  params: Record<string, unknown>;
  /** `safetensors:awq-int4`, … */
  format: string;
  request: CheckpointRequest;
}

type Params = Record<string, unknown>;

/** Parameters that choose a format or a tool: each of their values is tried. */
function* variants(type: NodeType, given: Params): Generator<Params> {
  const fields = describeParams(type).filter(({ name, options }) => options !== null && !Object.hasOwn(given, name));
  yield* combine(
    given,
    fields.map(({ name, options, default: value }) => ({ name, values: options ?? [], value })),
  );
}

interface Field {
  name: string;
  values: readonly string[];
  value: unknown;
}

function* combine(given: Params, fields: readonly Field[]): Generator<Params> {
  const [first, ...rest] = fields;
  if (first === undefined) {
    yield given;
    return;
  }
  for (const value of first.values) {
    const added = value === first.value ? {} : { [first.name]: value };
    yield* combine({ ...given, ...added }, rest);
  }
}

function techniqueOf(type: NodeType, params: Params): WeightsTechnique | null {
  const parsed = type.params.safeParse(params);
  if (!parsed.success || type.checkpoint === undefined) return null;
  const values = parsed.data as never;
  const { weightsFormat } = type.apply(values);
  if (weightsFormat === undefined || (type.faults?.(values) ?? []).length > 0) return null;
  return { type, params, format: weightsFormat.value, request: type.checkpoint(values) };
}

/** Every weights technique that takes its file from that source, in the order of the catalogue. */
export function* techniquesFrom(source: CheckpointRequest['source'], more: Params = {}): Generator<WeightsTechnique> {
  for (const type of NODE_TYPES) {
    if (type.stage !== 'weights' || !type.settings.includes('weightsFormat')) continue;
    const known = Object.fromEntries(Object.entries(more).filter(([name]) => Object.hasOwn(type.params.shape, name)));
    for (const params of variants(type, { ...known, source })) {
      const technique = techniqueOf(type, params);
      if (technique?.request.source === source) yield technique;
    }
  }
}

/** What a repository's name tells where no table knows it: the keys of a model's quantized repositories. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/awq/i, 'AWQ'],
  [/gptq/i, 'GPTQ'],
  [/fp8[-_]dynamic/i, 'FP8-dynamic'],
  [/nvfp4|[-_]fp4\b/i, 'NVFP4'],
  [/mxfp4/i, 'MXFP4'],
  [/fp8/i, 'FP8'],
  [/w8a8|int8/i, 'INT8 W8A8'],
  [/w4a16/i, 'W4A16'],
];
export const keyOfName = (repo: string): string | null => NAMED.find(([pattern]) => pattern.test(repo))?.[1] ?? null;

/** The technique whose checkpoints are known by that key and name; null where none is. */
export function techniqueOfCheckpoint(repo: string, key: string): WeightsTechnique | null {
  for (const technique of techniquesFrom('checkpoint', { repo })) {
    const { knownAs = [], knownMatching } = technique.request;
    if (knownAs.includes(key) && (knownMatching?.test(repo) ?? true)) return technique;
  }
  return null;
}

/** The recipe that writes a file or folder of that name after the model's, e.g. `-awq-int4-1a2b3c4d`. */
export function techniqueOfMadeName(suffix: string): WeightsTechnique | null {
  for (const technique of techniquesFrom('recipe')) {
    const type = technique.format.slice(technique.format.indexOf(':') + 1).toLowerCase();
    const { options = {}, tool } = technique.request;
    const isSpecial = Object.keys(options).length > 0;
    const mark = isSpecial ? `-${hashOf([tool, { ...options }, undefined]).slice(0, 8)}` : '';
    if (suffix.toLowerCase() === `-${type}${mark}`) return technique;
  }
  return null;
}
