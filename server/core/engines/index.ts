import { endpoint } from './endpoint';
import type { Engine } from './engine';
import { llamaCpp } from './llama-cpp';
import { vllm } from './vllm';

/** Every engine; the first one is the default of a new deployment. */
export const ENGINES: readonly Engine[] = [llamaCpp, vllm, endpoint];
