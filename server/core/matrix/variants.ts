import { findNodeType } from '../catalog/find-node-type';
import type { NodeType } from '../catalog/node-type';
import { describeParams, type ParamDescription } from '../catalog/param';
import type { SettingName } from '../plan/settings';

/** A technique with one set of representative parameters. */
export interface Variant {
  type: NodeType;
  params: Record<string, unknown>;
  /** What tells it from its siblings, "backend flashinfer"; null where there is one only. */
  label: string | null;
}

/** Of these one is enough: the technique works if any of them does. */
const ALTERNATIVES = ['source', 'tool'];
/** Off is not the technique. */
const SWITCHES = ['state'];
/** Lists so long that their entries differ in size only. */
const MANY = 16;

/** Values in place of those that a node leaves to the user. */
function sample({ type, control, options, min }: ParamDescription): unknown {
  if (options?.[0] !== undefined) return options[0];
  if (type === 'integer' || type === 'number') return min ?? 1;
  if (type === 'boolean') return true;
  if (control === 'model') return 'Llama-3.2-1B';
  return control === 'secret' ? 'INFERLOOM_SECRET_EXAMPLE' : 'example/example';
}

const read = (type: NodeType, params: Record<string, unknown>): Record<string, unknown> | null => {
  const parsed = type.params.safeParse(params);
  return parsed.success ? parsed.data : null;
};

/** Defaults, a repository where one can be named, and whatever the type finds missing. */
function representative(type: NodeType, over: Record<string, unknown>): Record<string, unknown> | null {
  const described = describeParams(type);
  const required = described.filter((p) => p.default === null && !p.nullable).map((p) => [p.name, sample(p)] as const);
  const repo = described.some((p) => p.name === 'repo') ? { repo: 'example/example' } : {};
  const given = { ...Object.fromEntries(required), ...repo, ...over };
  const params = read(type, given);
  if (params === null) return null;
  const faults = type.faults?.(params as never) ?? [];
  if (faults.length === 0) return params;
  const filled = faults.flatMap(({ field }) =>
    described.filter((p) => p.name === field).map((p) => [field, sample(p)]),
  );
  return read(type, { ...given, ...Object.fromEntries(filled) });
}

const sameOptions = (a: ParamDescription, b: ParamDescription): boolean =>
  a.options !== null && b.options !== null && a.options.join() === b.options.join();

/** Choices of a type, one after the other; parameters of equal options (cached keys and values) move together. */
function choices(type: NodeType): { names: string[]; value: string; label: string }[] {
  const enums = describeParams(type).filter(
    (p) => p.type === 'enum' && p.kind === 'launch' && ![...ALTERNATIVES, ...SWITCHES].includes(p.name),
  );
  const leaders = enums.filter((p, at) => !enums.slice(0, at).some((earlier) => sameOptions(earlier, p)));
  return leaders.flatMap((leader) => {
    const options = leader.options ?? [];
    if (options.length > MANY) return [];
    const names = enums.filter((p) => sameOptions(leader, p)).map((p) => p.name);
    return options.map((value) => ({ names, value, label: `${leader.label.toLowerCase()} ${value}` }));
  });
}

/** Where an engine wants a folder instead of a repository, or the other way round. */
const PLACES = ['example/example', '/adapters/example.gguf'];

/** Tokens in a page of the engines with the largest ones. */
const LARGE_PAGE = 256;

/** A size that one engine wants is none of another: those offered for a sweep are tried, and a range of one length. */
function sizes(described: readonly ParamDescription[]): Record<string, unknown>[] {
  const numbers = described.filter((p) => p.type === 'integer' && p.kind === 'launch');
  const [only] = numbers;
  if (only && described.length === 1) {
    const values = [...(only.sweep ?? []), ...(only.unit === 'tokens' ? [LARGE_PAGE] : [])];
    // One rank, one copy or one sequence is the technique not used.
    return values.filter((value) => value !== 1).map((value) => ({ [only.name]: value }));
  }
  const shortest = numbers.find(({ name }) => /^min|shortest/i.test(name));
  const longest = numbers.find(({ name }) => /^max|longest/i.test(name));
  return shortest && longest ? [{ [shortest.name]: longest.default }] : [];
}

/** Ways to have the technique at all: each source of weights, each tool, other places and sizes. */
function alternatives(type: NodeType): Record<string, unknown>[] {
  const described = describeParams(type);
  const source = described.find((p) => p.name === 'source');
  const sources = source?.options ?? (source?.type === 'string' ? PLACES : []);
  return [...(sources.length === 0 ? [{}] : sources.map((value) => ({ source: value }))), ...sizes(described)];
}

/** Every variant of a technique; those of one inner list are alternatives, of which one is enough. */
export function variantsOf(type: NodeType): Variant[][] {
  const list = choices(type);
  const asked: { over: Record<string, unknown>; label: string | null }[] =
    list.length === 0
      ? [{ over: {}, label: null }]
      : list.map(({ names, value, label }) => ({ over: Object.fromEntries(names.map((n) => [n, value])), label }));
  return asked.flatMap(({ over, label }) => {
    const group = alternatives(type).flatMap((alternative): Variant[] => {
      const params = representative(type, { ...over, ...alternative });
      return params === null ? [] : [{ type, params, label }];
    });
    return group.length === 0 ? [] : [group];
  });
}

/** Techniques that make no sense alone: what stands beside them, by type and the parameter that takes the degree. */
const COMPANIONS: Partial<Readonly<Record<SettingName, string>>> = {
  expertParallel: 'tensor-parallel',
  attentionDataParallel: 'tensor-parallel',
  contextParallel: 'tensor-parallel',
  operatorFusion: 'tensor-parallel',
  queueLimit: 'parallel-sequences',
  slidingWindow: 'context',
  chunkedPrefill: 'prefill-chunk',
};

/** Node types that a variant needs beside it, with parameters of the same degree. */
export function companionsOf({ type, params }: Variant): Variant[] {
  const applied = Object.entries(type.apply(params as never));
  return applied.flatMap(([name, asked]) => {
    const companion = findNodeType(COMPANIONS[name as SettingName] ?? '');
    if (!companion || companion.type === type.type) return [];
    const degree = companion.type === 'tensor-parallel' && typeof asked?.value === 'number' ? asked.value : null;
    const numeric = describeParams(companion).find((p) => p.type === 'integer');
    const over = degree === null || !numeric ? {} : { [numeric.name]: degree };
    const filled = representative(companion, over);
    return filled === null ? [] : [{ type: companion, params: filled, label: null }];
  });
}
