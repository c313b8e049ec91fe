import type { ChatTemplate } from '../chat-template';
import type { EngineOptions } from '../flags';
import type { LoadedEngine } from '../load-engine';
import type { Scheduler } from '../scheduler';

/** What the routes need of a loaded engine. */
export interface EngineService {
  alias: string;
  options: EngineOptions;
  engine: LoadedEngine;
  scheduler: Scheduler;
  template: ChatTemplate;
  vocabularySize: number;
  contextTokensPerSequence: number;
  /** `special`: special tokens in the text count as such (chat templates). */
  tokenize(text: string, special: boolean): number[];
  detokenize(tokens: readonly number[], before: readonly number[]): string;
}
