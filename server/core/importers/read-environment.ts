import type { FlagTable } from '../engines/flag';
import { holdsSecret, isReference, isSecretName } from '../engines/secret-shape';
import type { Invocation } from './importer';
import type { Reading } from './reading';

/** Variables that say which devices are seen; the number of them is the count of the hardware. */
const DEVICE_LISTS = ['CUDA_VISIBLE_DEVICES', 'NVIDIA_VISIBLE_DEVICES', 'HIP_VISIBLE_DEVICES', 'ROCR_VISIBLE_DEVICES'];
/** Variables that hold an API key of the server. */
const KEY_VARIABLES = ['LLAMA_API_KEY', 'VLLM_API_KEY'];
const HUB_TOKENS = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN'];
export const CPU_THREADS = 'VLLM_CPU_OMP_THREADS_BIND';

const isOff = (value: string): boolean => ['0', 'false', 'off', 'no'].includes(value.toLowerCase());

/** Argument words that variables stand for, before those of the command line, which count more; and the others. */
export function flagsOfEnvironment(
  env: Invocation['env'],
  table: FlagTable,
): { words: string[]; others: Record<string, string> } {
  const words: string[] = [];
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const fact = table.flags.find((flag) => flag.env === name);
    if (KEY_VARIABLES.includes(name)) words.push(`--api-key=${value}`);
    else if (fact === undefined || HUB_TOKENS.includes(name) || (fact.type === 'boolean' && isOff(value))) {
      others[name] = value;
    } else words.push(fact.name, ...(fact.type === 'boolean' ? [] : [value]));
  }
  return { words, others };
}

export const seenDevices = (env: Invocation['env']): number | null => {
  const name = DEVICE_LISTS.find((variable) => /^[\w:-]+(?:,[\w:-]+)*$/.test(env[variable] ?? ''));
  const value = name === undefined ? undefined : env[name];
  return value === undefined || ['all', 'none', 'void', '-1'].includes(value) ? null : value.split(',').length;
};

/** Says of every variable without a place what becomes of it. */
export function reportEnvironment(others: Readonly<Record<string, string>>, reading: Reading): void {
  for (const [name, value] of Object.entries(others)) {
    const isSecret = (isSecretName(name) || holdsSecret(value)) && !isReference(value);
    const shown = isSecret ? null : value;
    reading.unmapped.push({ flag: name, value: shown, node: null });
    if (HUB_TOKENS.includes(name)) {
      reading.say('info', 'token-not-kept', `${name} is not kept: the worker's own token fetches gated repositories.`);
    } else if (DEVICE_LISTS.includes(name)) {
      reading.say('info', 'devices-counted', `${name}=${value} is read as the number of devices.`, 'hardware');
    } else {
      const text = isSecret ? `${name} (its value looks like a secret and is not stored)` : `${name}=${value}`;
      reading.say('warning', 'environment-not-kept', `The variable ${text} has no place in the graph.`);
    }
  }
}
