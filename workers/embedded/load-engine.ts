import os from 'node:os';
import {
  getLlama,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  type TokenBias,
} from 'node-llama-cpp';
import type { EngineLog } from './engine-log';
import type { EngineOptions } from './flags';
import { type LogFacts, parseEngineLog } from './parse-log';
import { poolSamplers } from './sampler-pool';
import { noEndBias } from './sampling';
import type { Slot } from './slot';
import { type TensorFacts, tensorFacts } from './tensor-facts';

export interface LoadedModel {
  path: string;
  model: LlamaModel;
  context: LlamaContext;
  log: LogFacts;
  tensors: TensorFacts;
  /** Bans tokens that end generation; a bias belongs to one model's tokenizer. */
  noEnd: TokenBias;
}

export interface LoadedEngine {
  target: LoadedModel;
  draft: LoadedModel | null;
  slots: Slot[];
  vocabularySize: number;
  log: EngineLog;
}

/** Prompt tokens in one step: llama-server evaluates at most a batch, and its hardware sees at most a micro-batch. */
export const prefillTokensPerStep = (o: Pick<EngineOptions, 'batchTokens' | 'ubatchTokens'>): number =>
  Math.min(o.batchTokens, o.ubatchTokens);

/**
 * Loads the model (and the draft) into this process. Throws an Error whose message carries llama.cpp's own reasons.
 */
export async function loadEngine(options: EngineOptions, log: EngineLog): Promise<LoadedEngine> {
  const cores = os.availableParallelism();
  if (options.threads > cores) throw new Error(`--threads ${options.threads}: this host has ${cores} cores`);
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: 0,
    logLevel: LlamaLogLevel.info,
    logger: (level, message) => log.add(level, message),
  });
  poolSamplers(llama);
  const target = await loadModel(llama, options, log, 'target', options.model);
  const draft = options.draftModel ? await loadModel(llama, options, log, 'draft', options.draftModel) : null;
  if (draft) refuseOtherVocabulary(target.model, draft.model);
  const slots = Array.from(
    { length: options.sequences },
    (_, id): Slot => ({
      id,
      target: target.context.getSequence(),
      draft: draft?.context.getSequence() ?? null,
      run: null,
      lastUsed: 0,
    }),
  );
  return {
    target,
    draft,
    slots,
    vocabularySize: [...target.model.iterateAllTokens()].length,
    log,
  };
}

async function loadModel(
  llama: Llama,
  options: EngineOptions,
  log: EngineLog,
  section: 'target' | 'draft',
  path: string,
): Promise<LoadedModel> {
  await log.startSection(section);
  try {
    const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
    const context = await createContext(model, options, section);
    await log.settle();
    return {
      path,
      model,
      context,
      log: parseEngineLog(log.textOf(section)),
      tensors: tensorFacts(model.fileInfo),
      noEnd: noEndBias(model),
    };
  } catch (error) {
    await log.settle();
    const said = [error instanceof Error ? error.message : String(error), ...log.reasons()];
    throw new Error(`failed to load model ${path} (${section}): ${[...new Set(said)].join(' | ')}`);
  }
}

/** One step must fit into one decode: a prefill chunk beside every stream with its drafts. */
function createContext(model: LlamaModel, options: EngineOptions, section: 'target' | 'draft'): Promise<LlamaContext> {
  const perSequence =
    options.contextTokens === 0 ? model.trainContextSize : Math.floor(options.contextTokens / options.sequences);
  if (perSequence < 2)
    throw new Error(
      `--ctx-size ${options.contextTokens} leaves ${perSequence} tokens for each of ${options.sequences} sequences`,
    );
  const drafted = options.speculation === 'none' ? 0 : options.draftTokens;
  return model.createContext({
    contextSize: perSequence,
    sequences: options.sequences,
    threads: options.threads,
    batchSize: prefillTokensPerStep(options) + options.sequences * (1 + drafted),
    flashAttention: options.flashAttention === 'auto' ? 'auto' : options.flashAttention === 'on',
    experimentalKvCacheKeyType: section === 'target' ? options.cacheTypeK : 'F16',
    experimentalKvCacheValueType: section === 'target' ? options.cacheTypeV : 'F16',
    failedCreationRemedy: false,
  });
}

/** Drafts are token ids: both models must mean the same by them. */
function refuseOtherVocabulary(target: LlamaModel, draft: LlamaModel): void {
  const tokens = [...target.iterateAllTokens()];
  const other = [...draft.iterateAllTokens()];
  if (tokens.length !== other.length)
    throw new Error(`the draft model has ${other.length} tokens in its vocabulary, the target ${tokens.length}`);
  const differs = tokens.find((t) => target.detokenize([t], true) !== draft.detokenize([t], true));
  if (differs !== undefined) throw new Error(`token ${differs} means something else in the draft model's vocabulary`);
}
