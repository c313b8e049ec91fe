import type { FlagTable } from '../engines/flag';
import { holdsSecret, isReference, isSecretName } from '../engines/secret-shape';
import type { Dialect } from './dialects/dialect';
import type { Invocation } from './importer';
import { type Mark, variableMark } from './mark';
import type { Reading } from './reading';
import { flagOfVariable } from './recover/literal';

/** Variables that say which devices are seen; the number of them is the count of the hardware. */
const DEVICE_LISTS = ['CUDA_VISIBLE_DEVICES', 'NVIDIA_VISIBLE_DEVICES', 'HIP_VISIBLE_DEVICES', 'ROCR_VISIBLE_DEVICES'];
const HUB_TOKENS = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN'];

/** Argument words that variables stand for, before those of the command line, which count more; and the others. */
export function flagsOfEnvironment(
  env: Invocation['env'],
  table: FlagTable,
  { keyVariables, keyFlags }: Dialect,
): { words: string[]; others: Mark[] } {
  const words: string[] = [];
  const others: Mark[] = [];
  for (const [name, value] of Object.entries(env)) {
    const fact = HUB_TOKENS.includes(name) ? null : flagOfVariable(table, name, value);
    const [keyFlag] = keyFlags;
    if (keyFlag !== undefined && keyVariables.includes(name)) words.push(`${keyFlag}=${value}`);
    else if (fact === null) others.push(variableMark(name, value));
    else words.push(fact.name, ...(fact.type === 'boolean' ? [] : [value]));
  }
  return { words, others };
}

export const seenDevices = (env: Invocation['env']): number | null => {
  const name = DEVICE_LISTS.find((variable) => /^[\w:-]+(?:,[\w:-]+)*$/.test(env[variable] ?? ''));
  const value = name === undefined ? undefined : env[name];
  return value === undefined || ['all', 'none', 'void', '-1'].includes(value) ? null : value.split(',').length;
};

/** Says of every variable without a place what becomes of it. */
export function reportEnvironment(reading: Reading): void {
  for (const { written: name, value: given } of reading.rest('env')) {
    const value = given ?? '';
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
