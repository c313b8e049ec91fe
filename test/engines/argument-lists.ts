import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import type { Engine } from '@/server/core/engines/engine';
import { ENGINES } from '@/server/core/engines/index';
import { emittedArguments } from '@/test/fixtures/emitted-arguments';
import { graphOf, SET_UPS } from '@/test/fixtures/typical-setups';

/** The words that name the model where a setting's own arguments do not. */
export type ModelWords = readonly string[];

const wordsOf = (args: readonly { flag: string; value: string | null }[]): string[] =>
  args.flatMap(({ flag, value }) => (value === null ? [flag] : [flag, value]));

/** Every command line that one lowering makes of one setting, each once, with a model beside it. */
function perSetting(engine: Engine, runtime: string | null, model: ModelWords): string[][] {
  const lines = new Map<string, string[]>();
  for (const { setting, words } of emittedArguments(engine, runtime)) {
    const own = wordsOf(words);
    const names = setting === 'weightsFormat' && (own[0] === model[0] || !own[0]?.startsWith('-'));
    const line = [...engine.command(runtime), ...(names ? [] : model), ...own];
    lines.set(line.join(' '), line);
  }
  return [...lines.values()];
}

/** Whole plans: the typical set-ups of the engine. */
export function wholePlans(engine: Engine): string[][] {
  return Object.values(SET_UPS)
    .filter((setUp) => setUp.engine.engine === engine.id)
    .flatMap((setUp) => compilePipeline(graphOf(setUp), { engines: ENGINES }).plans)
    .map((plan) => plan.components[0]?.argv ?? []);
}

/** What a parser is asked: command lines of every setting and value, and whole plans. */
export function argumentLists(engine: Engine, model: ModelWords): string[][] {
  const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map(({ id }) => id) : [null];
  return [...runtimes.flatMap((runtime) => perSetting(engine, runtime, model)), ...wholePlans(engine)];
}
