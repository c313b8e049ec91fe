import type { Counters } from '../counters';
import { prefillTokensPerStep } from '../load-engine';
import type { LogFacts } from '../parse-log';
import type { TensorFacts } from '../tensor-facts';
import type { EngineService } from './engine-service';

export interface EffectiveModel {
  path: string;
  log: LogFacts;
  tensors: TensorFacts;
}

/** What is really in force: llama.cpp's log, its own counters and the loaded objects; never the arguments. */
export interface EffectiveConfiguration {
  engine: 'node-llama-cpp';
  target: EffectiveModel;
  draft: EffectiveModel | null;
  /** llama_n_threads(), as set for the last decode. */
  threads: number;
  prefillTokensPerStep: number;
  queueLimit: number;
  prefixCaching: boolean;
  speculation: string;
  draftTokens: number | null;
  lookupTokens: { min: number; max: number } | null;
  sinkTokens: number | null;
  apiKeyRequired: boolean;
  chatTemplate: 'gguf' | 'plain';
  kvUsage: number;
  counters: Counters;
}

/** Rules of the scheduler (queue, prefix reuse, sinks) are this process's own objects; counters show their effect. */
export function effectiveConfiguration(service: EngineService): EffectiveConfiguration {
  const { engine, options, scheduler } = service;
  const model = (m: { path: string; log: LogFacts; tensors: TensorFacts }): EffectiveModel => ({
    path: m.path,
    log: m.log,
    tensors: m.tensors,
  });
  return {
    engine: 'node-llama-cpp',
    target: model(engine.target),
    draft: engine.draft ? model(engine.draft) : null,
    threads: engine.target.context.currentThreads,
    prefillTokensPerStep: prefillTokensPerStep(options),
    queueLimit: options.queueLimit,
    prefixCaching: options.cachePrompt,
    speculation: options.speculation,
    draftTokens: options.speculation === 'none' ? null : options.draftTokens,
    lookupTokens:
      options.speculation === 'prompt-lookup' ? { min: options.lookupMinTokens, max: options.lookupMaxTokens } : null,
    sinkTokens: options.contextShift ? options.keepTokens : null,
    apiKeyRequired: options.apiKey !== null,
    chatTemplate: service.template.source,
    kvUsage: scheduler.kvUsage,
    counters: { ...scheduler.counters },
  };
}
