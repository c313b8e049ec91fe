import { type FlagFact, type FlagTable, findFlag } from '../../engines/flag';
import type { Arg } from '../../plan/plan';
import type { ContextValue } from '../constraints/expression';
import type { RuleContext } from '../rule';

export type Fields = Record<string, ContextValue>;

type ArgumentContext = Pick<RuleContext, 'engine' | 'component'>;

/** Engine → spellings that its constraints take for another name. */
const SAME_NAME: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tensorrt-llm': {
    tensor_parallel_size: 'tp_size',
    pipeline_parallel_size: 'pp_size',
    context_parallel_size: 'cp_size',
    moe_expert_parallel_size: 'ep_size',
  },
  lmdeploy: { cache_block_seq_len: 'block_size' },
};

/** Texts that are a number, a size such as 32k, or a word such as `auto`. */
const SIZES = ['max_model_len'];

/** A flag or key as the constraints name it: no dashes in front, dashes as underscores. */
export function constraintName(engine: string, name: string): string {
  const plain = name.replace(/^-+/, '').replaceAll('-', '_');
  const names = Object.hasOwn(SAME_NAME, engine) ? SAME_NAME[engine] : undefined;
  return names !== undefined && Object.hasOwn(names, plain) ? (names[plain] ?? plain) : plain;
}

/** The flag that a word means; for `--no-x` the switch `--x` where the facts list that only. */
const factOf = (flags: FlagTable, flag: string): FlagFact | null =>
  findFlag(flags, flag) ?? findFlag(flags, flag.replace(/^--no[-_]/, '--'));

/** Names of flags as the constraints have them; a flag belongs to one engine. */
const namesOfFacts = new WeakMap<FlagFact, string>();

function nameOfFact({ id }: ArgumentContext['engine'], fact: FlagFact): string {
  const known = namesOfFacts.get(fact);
  if (known !== undefined) return known;
  const name = constraintName(id, fact.name);
  namesOfFacts.set(fact, name);
  return name;
}

/** What a launch argument is: its name in the constraints and its type. A removed flag goes by its own name. */
function meaningOf({ engine }: ArgumentContext, flag: string): { name: string; type?: FlagFact['type'] } | null {
  if (!flag.startsWith('-') || engine.flags === null) return null;
  const fact = factOf(engine.flags, flag);
  if (fact !== null) return { name: nameOfFact(engine, fact), type: fact.type };
  const removed = engine.flags.removed.find(({ name }) => name === flag.split('=', 1)[0]);
  return removed === undefined ? null : { name: constraintName(engine.id, removed.name) };
}

/** A flag as the constraints name it: the first spelling, a removed one by its own. Null: the facts do not know it. */
export const argumentName = (ctx: ArgumentContext, { flag }: Pick<Arg, 'flag'>): string | null =>
  meaningOf(ctx, flag)?.name ?? null;

const SIZE = /^(-?\d+(?:\.\d+)?)([kKmMgGtT])$/;
const POWERS = ['k', 'm', 'g', 't'];

/** A number as engines take it: `32k` is 32,000, `32K` 32,768. Null for words such as `auto`: nobody set a number. */
function parseNumber(text: string): number | null {
  const [, digits, unit] = SIZE.exec(text) ?? [];
  if (digits !== undefined && unit !== undefined) {
    const base = unit === unit.toUpperCase() ? 1024 : 1000;
    return Number(digits) * base ** (POWERS.indexOf(unit.toLowerCase()) + 1);
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? null : value;
}

const numeric = (item: string): ContextValue => (/^-?\d+(?:\.\d+)?$/.test(item) ? Number(item) : item);

function parsed(type: FlagFact['type'] | undefined, { flag, value }: Arg): ContextValue {
  if (type === 'boolean') return value === null ? !/^--?no[-_]/.test(flag) : /^(?:true|1|on|yes)$/i.test(value);
  if (type === 'integer' || type === 'number') return value === null ? null : parseNumber(value);
  if (type === 'list' || type === 'enum-list') {
    return (value ?? '')
      .split(/[,\s]+/)
      .filter((item) => item !== '')
      .map(numeric);
  }
  // LMDeploy's --quant-policy takes 8 and int8 alike.
  return type === 'enum' && value !== null ? numeric(value) : (value ?? true);
}

const isJson = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An argument that holds a JSON object; {} where it is none or cannot be read. */
export function jsonArgument(value: ContextValue | undefined): Fields {
  if (typeof value !== 'string') return {};
  try {
    const read: unknown = JSON.parse(value);
    return isJson(read) ? read : {};
  } catch {
    return {};
  }
}

const pick = (from: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => (from[key] === undefined ? [] : [[name, from[key]]])),
  );

/** Keys of vLLM's JSON arguments that the constraints read as arguments of their own. */
function unfolded(arg: Fields): Fields {
  const compilation = jsonArgument(arg.compilation_config);
  const passes = isJson(compilation.pass_config) ? compilation.pass_config : {};
  return {
    ...pick(compilation, {
      mode: 'compilation_mode',
      backend: 'compile_backend',
      cudagraph_mode: 'cudagraph_mode',
      cudagraph_capture_sizes: 'cudagraph_capture_sizes',
      max_cudagraph_capture_size: 'max_cudagraph_capture_size',
    }),
    ...pick(passes, { enable_sp: 'enable_sp' }),
    ...pick(jsonArgument(arg.attention_config), {
      backend: 'attention_config_backend',
      flash_attn_version: 'flash_attn_version',
    }),
  };
}

/** Launch arguments by the names of the constraints, parsed. What the facts do not know is left out. */
export function argumentsOf(ctx: ArgumentContext): Fields {
  const arg: Fields = {};
  for (const entry of ctx.component.args) {
    const meaning = meaningOf(ctx, entry.flag);
    if (meaning === null) continue;
    const { name, type } = meaning;
    const read = parsed(type, entry);
    const value = SIZES.includes(name) && typeof read === 'string' ? parseNumber(read) : read;
    const before = arg[name];
    arg[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return ctx.engine.id === 'vllm' ? { ...unfolded(arg), ...arg } : arg;
}
