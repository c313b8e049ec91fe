import type { Plan } from '@/server/core/plan/plan';
import { SETTING_NAMES, type SettingName } from '@/server/core/plan/settings';
import type { EffectiveRow } from '@/server/core/run/trial';
import { formatOfFileType, heldFormat } from './file-type';
import type { EffectiveConfiguration, EffectiveModel } from './http/effective';

/** What was seen of one setting. `got` undefined: nothing could be seen. */
interface Seen {
  got?: unknown;
  state?: EffectiveRow['state'];
  evidence: string | null;
}

interface Observed {
  config: EffectiveConfiguration;
  keyRequired: boolean;
}

type Reader = (observed: Observed, asked: unknown, scope: 'target' | 'draft') => Seen;

const UNSEEN: Seen = { evidence: null };
const modelOf = (o: Observed, scope: 'target' | 'draft'): EffectiveModel | null =>
  scope === 'draft' ? o.config.draft : o.config.target;

/** A fact that llama.cpp's log states; without the line nothing is claimed. */
function fromLog(name: keyof EffectiveModel['log'], upper = false): Reader {
  return (o, _asked, scope) => {
    const log = modelOf(o, scope)?.log;
    const value = log?.[name];
    if (log === undefined || value === null || value === undefined) return UNSEEN;
    return { got: upper ? String(value).toUpperCase() : value, evidence: `log: ${log.evidence[name] ?? ''}` };
  };
}

const counted = (text: string): string => `counters: ${text}`;

const weightsFormat: Reader = (o, asked, scope) => {
  const model = modelOf(o, scope);
  if (!model?.log.fileType) return UNSEEN;
  const base = formatOfFileType(model.log.fileType);
  const evidence = `log: ${model.log.evidence.fileType ?? ''}; GGUF header: ${countsOf(model.tensors.matrixTypes)}`;
  const got = heldFormat(base, model.tensors);
  return { got, evidence, state: got === asked ? 'applied' : 'changed' };
};

const countsOf = (types: Record<string, number>): string =>
  Object.entries(types)
    .map(([type, n]) => `${n} × ${type}`)
    .join(', ');

/** An upper bound shows only once something came up against it. */
function bounded(largest: number, asked: unknown, evidence: string): Seen {
  if (largest > Number(asked)) return { got: largest, state: 'changed', evidence: counted(evidence) };
  return { got: largest, state: largest === Number(asked) ? 'applied' : 'unverified', evidence: counted(evidence) };
}

const prefixCaching: Reader = (o, asked) => {
  const { prefixHits, requests, cached } = o.config.counters;
  const evidence = counted(`${prefixHits} of ${requests} requests found a prefix, ${cached} tokens`);
  if (prefixHits > 0) return { got: 'on', evidence };
  if (asked === 'off' && requests > 1) return { got: 'off', evidence };
  return { evidence, state: 'unverified' };
};

const speculation: Reader = (o, asked) => {
  const { speculationSteps, drafted, accepted, generated } = o.config.counters;
  const evidence = counted(`${speculationSteps} verifications, ${accepted} of ${drafted} drafted tokens accepted`);
  if (speculationSteps > 0) return { got: o.config.draft ? 'draft-model' : 'prompt-lookup', evidence };
  if (asked === 'off' && generated > 0) return { got: 'off', evidence };
  return { evidence, state: 'unverified' };
};

const sinkTokens: Reader = (o, asked) => {
  const { contextShifts, shiftedOut } = o.config.counters;
  if (contextShifts === 0) return { evidence: counted('no sequence outgrew its window'), state: 'unverified' };
  const got = o.config.counters.sinksKept;
  return {
    got,
    state: got === asked ? 'applied' : 'changed',
    evidence: counted(`${contextShifts} shifts dropped ${shiftedOut} tokens`),
  };
};

const queueLimit: Reader = (o, asked) => {
  const { rejected, largestQueue } = o.config.counters;
  if (rejected === 0)
    return { evidence: counted(`nothing refused, at most ${largestQueue} waited`), state: 'unverified' };
  const state = largestQueue === asked ? 'applied' : 'changed';
  return { got: largestQueue, state, evidence: counted(`${rejected} refused while ${largestQueue} waited`) };
};

const sampling =
  (name: 'temperature' | 'topP' | 'topK' | 'minP'): Reader =>
  (o) => {
    const last = o.config.counters.lastSampling;
    return last === null ? UNSEEN : { got: last[name], evidence: 'request: the last one that the engine ran' };
  };

const ignored =
  (why: string): Reader =>
  () => ({ got: null, state: 'ignored', evidence: why });

const notHere = ignored('the embedded engine has nothing of the kind');

/** It is so by the engine's making, or changes nothing here; no line of the log says it. */
const unseen: Reader = () => UNSEEN;

const READERS: Record<SettingName, Reader> = {
  weightsFormat,
  flashAttention: fromLog('flashAttention'),
  kvCacheKeyType: fromLog('cacheTypeK', true),
  kvCacheValueType: fromLog('cacheTypeV', true),
  prefixCaching,
  contextTokensPerSequence: fromLog('contextTokensPerSequence'),
  sinkTokens,
  maxSequences: fromLog('sequences'),
  prefillTokensPerStep: (o, asked) =>
    bounded(
      o.config.counters.largestPrefill,
      asked,
      `at most ${o.config.counters.largestPrefill} prompt tokens in a step`,
    ),
  threads: (o) => ({ got: o.config.threads, evidence: `llama_n_threads() = ${o.config.threads}` }),
  queueLimit,
  apiKeySecret: (o, asked) =>
    o.keyRequired
      ? { got: asked, state: 'applied', evidence: 'a request without a key gets 401' }
      : { got: null, state: 'ignored', evidence: 'a request without a key is answered' },
  speculation,
  draftTokens: (o, asked) =>
    bounded(
      o.config.counters.largestDraft,
      asked,
      `at most ${o.config.counters.largestDraft} tokens drafted in a step`,
    ),
  promptLookupMinTokens: (o, asked) => {
    const shortest = o.config.counters.shortestLookup;
    if (shortest === null) return UNSEEN;
    const state = shortest === asked ? 'applied' : shortest < Number(asked) ? 'changed' : 'unverified';
    return { got: shortest, state, evidence: counted(`the shortest n-gram that gave a draft had ${shortest} tokens`) };
  },
  promptLookupMaxTokens: (o, asked) =>
    bounded(
      o.config.counters.longestLookup,
      asked,
      `the longest n-gram that gave a draft had ${o.config.counters.longestLookup} tokens`,
    ),
  tensorParallel: ignored('the embedded engine runs on one device'),
  computeDtype: notHere,
  weightsSparsity: unseen,
  attentionBackend: notHere,
  torchCompile: unseen,
  cudaGraphs: unseen,
  cudaGraphMaxBatch: notHere,
  operatorFusion: unseen,
  staticKvCache: unseen,
  kvBlockTokens: notHere,
  slidingWindow: unseen,
  slidingWindowTokens: notHere,
  kvTier: notHere,
  kvTierBytes: notHere,
  kvEviction: notHere,
  draftTreeTopK: unseen,
  draftTreeDepth: unseen,
  structuredOutputBackend: notHere,
  chunkedPrefill: unseen,
  schedulingPolicy: unseen,
  priorityHighFirst: notHere,
  preemption: unseen,
  batchWaitMs: unseen,
  streamIntervalTokens: unseen,
  metricsEndpoint: unseen,
  torchProfilerFolder: notHere,
  pipelineParallel: unseen,
  dataParallel: unseen,
  expertParallel: unseen,
  attentionDataParallel: unseen,
  contextParallel: unseen,
  cpuOffloadBytes: notHere,
  cpuExpertLayers: notHere,
  deviceLayers: notHere,
  loraAdapters: notHere,
  loraMaxRank: notHere,
  loraMaxActive: notHere,
  memoryFraction: ignored('llama.cpp allocates what it needs; it takes no share'),
  temperature: sampling('temperature'),
  topP: sampling('topP'),
  topK: sampling('topK'),
  minP: sampling('minP'),
  beams: ignored('no beam search in this engine'),
};

const isSettingName = (name: string): name is SettingName => (SETTING_NAMES as string[]).includes(name);

/**
 * One row for each setting that somebody asked for: what the engine really applied, read from llama.cpp's log, the
 * GGUF header, the engine's counters or a probe; "unverified" where none of these shows it.
 */
export function compareEffective(
  settings: Plan['settings'],
  config: EffectiveConfiguration,
  keyRequired: boolean,
): EffectiveRow[] {
  const observed = { config, keyRequired };
  return Object.entries(settings)
    .filter(([, { asked, origin }]) => origin !== 'default' && asked !== null && asked !== undefined)
    .map(([key, { asked, origin }]) => {
      const seen = look(key, asked, observed);
      const { got = null, evidence } = seen;
      const nodeId = origin === 'workload' ? null : origin;
      return { nodeId, setting: key, asked, got, state: stateOf(seen, asked), evidence };
    });
}

/** `key`: a setting's name, or `scope.name` outside the target. */
function look(key: string, asked: unknown, observed: Observed): Seen {
  const [scope, name] = key.includes('.') ? key.split('.', 2) : ['target', key];
  if (name === undefined || !isSettingName(name) || (scope !== 'target' && scope !== 'draft')) return UNSEEN;
  return READERS[name](observed, asked, scope);
}

function stateOf(seen: Seen, asked: unknown): EffectiveRow['state'] {
  if (seen.state) return seen.state;
  if (seen.got === undefined) return 'unverified';
  return same(seen.got, asked) ? 'applied' : 'changed';
}

const same = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase();
