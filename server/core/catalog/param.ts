import { z } from 'zod';
import type { NodeType, ParamKind, ParamMeta } from './node-type';

/** Attaches a parameter's metadata to its schema. Call it last: a wrapper around the schema would lose it. */
export const param = <S extends z.ZodType>(schema: S, meta: ParamMeta): S => schema.meta({ ...meta });

/** One parameter as form, documentation, command line and sweeps read it. Absent bounds are null. */
export interface ParamDescription {
  name: string;
  type: 'integer' | 'number' | 'string' | 'boolean' | 'enum' | 'list' | 'object';
  unit: string | null;
  min: number | null;
  max: number | null;
  /** Value of a parameter that the document leaves out; null also means "not set". */
  default: unknown;
  nullable: boolean;
  kind: ParamKind;
  label: string;
  description: string;
  /** Allowed values of an enum (or of a list's entries), null otherwise. */
  options: readonly string[] | null;
  control: NonNullable<ParamMeta['control']> | null;
  /** Values offered for a sweep; null where the parameter cannot be swept. */
  sweep: readonly unknown[] | null;
}

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
}

const strings = (values: unknown[] | undefined): string[] | null => (values ? values.map(String) : null);

const typesOf = (schema: JsonSchema): string[] => [schema.type ?? []].flat();

function typeOf(schema: JsonSchema): ParamDescription['type'] {
  if (schema.enum) return 'enum';
  const type = typesOf(schema).find((t) => t !== 'null');
  if (type === 'array') return 'list';
  if (type === 'object') return 'object';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

/** zod writes the safe-integer range as bounds of every `int()`; that is no limit of ours. */
const bound = (...values: (number | undefined)[]): number | null =>
  values.find((v) => v !== undefined && Math.abs(v) < Number.MAX_SAFE_INTEGER) ?? null;

/** Launch and request parameters can always be swept, load parameters where they offer values. */
function sweepOf(meta: ParamMeta): readonly unknown[] | null {
  if (meta.sweep) return meta.sweep;
  if (meta.control === 'model-facts') return null;
  return meta.kind === 'load' ? null : [];
}

function describeParam(name: string, schema: z.ZodType): ParamDescription {
  const meta = schema.meta() as ParamMeta | undefined;
  if (!meta?.kind) throw new Error(`parameter ${name} has no metadata: wrap it with param()`);
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const inner = json.anyOf?.find((option) => !typesOf(option).includes('null')) ?? json;
  return {
    name,
    type: typeOf(inner),
    unit: meta.unit,
    min: bound(inner.minimum, inner.exclusiveMinimum),
    max: bound(inner.maximum, inner.exclusiveMaximum),
    default: json.default ?? null,
    nullable: [json, ...(json.anyOf ?? [])].some((option) => typesOf(option).includes('null')),
    kind: meta.kind,
    label: meta.label,
    description: meta.description,
    options: strings(inner.enum) ?? strings(inner.items?.enum),
    control: meta.control ?? null,
    sweep: sweepOf(meta),
  };
}

const described = new WeakMap<NodeType, readonly ParamDescription[]>();

/** Every parameter of a node type, in the order of its schema. */
export function describeParams(nodeType: NodeType): readonly ParamDescription[] {
  const known = described.get(nodeType);
  if (known) return known;
  const params = Object.entries(nodeType.params.shape).map(([name, s]) => describeParam(name, s as z.ZodType));
  described.set(nodeType, params);
  return params;
}
