import { buildPrompt, type PromptSize, sharedPrefix } from '@/server/core/workload/prompts';

/** Prompts of one stream of requests, made a little ahead so that none is made while its arrival is due. */
export interface PromptSource {
  take(): string;
}

const AHEAD = 16;

export function createPromptSource(seed: number, stream: string, size: PromptSize): PromptSource {
  const prefix = sharedPrefix(seed, size.prefixWords);
  const ready: string[] = [];
  let made = 0;
  let refilling = false;
  const make = (): string => buildPrompt(prefix, seed, stream, made++, size);
  const refill = (): void => {
    refilling = false;
    if (ready.length >= AHEAD) return;
    ready.push(make());
    schedule();
  };
  const schedule = (): void => {
    if (refilling || ready.length >= AHEAD) return;
    refilling = true;
    setImmediate(refill);
  };
  while (ready.length < AHEAD) ready.push(make());
  return {
    take() {
      const prompt = ready.shift() ?? make();
      schedule();
      return prompt;
    },
  };
}
