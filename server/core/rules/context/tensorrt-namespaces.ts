import type { FlagTable } from '../../engines/flag';
import type { RuleContext } from '../rule';
import { constraintName, type Fields } from './arguments';
import { contextValue, type Namespaces, put } from './namespaces';

const ENGINE = 'tensorrt-llm';
const BLOCKS = [
  'kv_cache_config',
  'kv_cache_compression_config',
  'cp_config',
  'lora_config',
  'cuda_graph_config',
  'scheduler_config',
  'moe_config',
];

/** Options of the command line that mean a key of `kv_cache_config`. */
const OPTION_OF_CACHE: Readonly<Record<string, string>> = {
  kv_cache_dtype: 'dtype',
  free_gpu_memory_fraction: 'free_gpu_memory_fraction',
};

/** Draft length at the smallest batch of a schedule; null where there is none. */
function firstLength(schedule: unknown): number | null {
  if (typeof schedule !== 'object' || schedule === null) return null;
  const [smallest] = Object.entries(schedule).sort(([a], [b]) => Number(a) - Number(b));
  return typeof smallest?.[1] === 'number' ? smallest[1] : null;
}

function putSpeculation(into: Namespaces, field: string, value: unknown): void {
  put(into, 'spec', field, contextValue(value));
  if (field === 'draft_len_schedule') put(into, 'spec', 'schedule_first_len', firstLength(value));
}

function putEntry(into: Namespaces, path: string, value: unknown): void {
  const [head = path, field] = path.split('.');
  const name = constraintName(ENGINE, head);
  if (field === undefined) {
    put(into, 'arg', name, contextValue(value));
    return;
  }
  if (head === 'speculative_config') putSpeculation(into, field, value);
  else if (BLOCKS.includes(head)) put(into, head, field, contextValue(value));
  // A block is an argument too: `arg.lora_config` is true where anything of it is there.
  put(into, 'arg', name, true);
}

/** Top-level keys that the facts do not know: strict releases refuse them. */
function unknownKeys(flags: FlagTable | null, keys: readonly string[]): string[] {
  if (flags === null) return [];
  const known = flags.flags.flatMap(({ name, aliases }) => [name, ...aliases]);
  const heads = new Set(known.map((name) => constraintName(ENGINE, name.split('.', 1)[0] ?? name)));
  return keys.filter((key) => !heads.has(constraintName(ENGINE, key)));
}

/** TensorRT-LLM's YAML: nested blocks are namespaces of their own, top-level keys are arguments. */
export function tensorrtNamespaces(ctx: RuleContext, arg: Fields): Namespaces {
  const { config } = ctx.component;
  const into: Namespaces = { arg: {}, spec: {} };
  for (const { path, value } of config) putEntry(into, path, value);
  for (const [option, field] of Object.entries(OPTION_OF_CACHE)) {
    if (arg[option] !== undefined) put(into, 'kv_cache_config', field, arg[option]);
  }
  const keys = [...new Set(config.map(({ path }) => path.split('.', 1)[0] ?? path))];
  into.yaml = { keys, unknown_keys: unknownKeys(ctx.engine.flags, keys) };
  into.cli = { keys: Object.keys(arg) };
  put(into, 'spec', 'on', keys.includes('speculative_config'));
  return into;
}
