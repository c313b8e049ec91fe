import type { Counters } from '../counters';
import type { LogFacts } from '../parse-log';
import type { TensorFacts } from '../tensor-facts';
import type { EngineService } from './engine-service';

export interface EffectiveModel {
  path: string;
  log: LogFacts;
  tensors: TensorFacts;
}

/** What is really in force: llama.cpp's log, the GGUF header and counters of what happened; never the arguments. */
export interface EffectiveConfiguration {
  engine: 'node-llama-cpp';
  target: EffectiveModel;
  draft: EffectiveModel | null;
  /** llama_n_threads(), as set for the last decode. */
  threads: number;
  apiKeyRequired: boolean;
  chatTemplate: 'gguf' | 'plain';
  kvUsage: number;
  counters: Counters;
}

/** The scheduler's rules (queue, prefix reuse, sinks, drafts) show in its counters. */
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
    apiKeyRequired: options.apiKey !== null,
    chatTemplate: service.template.source,
    kvUsage: scheduler.kvUsage,
    counters: { ...scheduler.counters },
  };
}
