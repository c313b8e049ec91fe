import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { RULES } from '@/server/core/rules/index';
import { largePipeline } from '@/test/fixtures/large-pipelines';
import { type Bench, timeInTurn } from './harness';

const SIZES = { small: 200, large: 1000 };
const RUNS = 60;
/** Compilations before the clock starts: a builder compiles at every edit, so that its code is warm. */
const WARM_UPS = 40;

/** Compiling with every engine and rule, as the builder does it at an edit. */
export const compiling: Bench = {
  name: 'compile',
  summary: 'a graph into plans and findings, with every engine and rule',
  async run() {
    const options = { engines: ENGINES, rules: RULES };
    const [small, large] = [largePipeline(SIZES.small), largePipeline(SIZES.large)];
    for (const document of [small, large]) {
      const faults = compilePipeline(document, options).findings.filter((f) => f.severity === 'error');
      if (faults.length > 0) throw new Error(`the graph of the benchmark does not compile: ${faults[0]?.message}`);
    }
    for (let i = 0; i < WARM_UPS; i++) compilePipeline(small, options);
    const plansOf = (document: Pipeline): number => compilePipeline(document, options).plans.length;
    const rows = await timeInTurn(
      {
        [`${SIZES.small} nodes, ${plansOf(small)} plans, validated`]: () => compilePipeline(small, options),
        [`${SIZES.large} nodes, ${plansOf(large)} plans, compiled`]: () => compilePipeline(large, options),
      },
      RUNS,
    );
    const targets = ['under 8 ms CPU', 'median under 100 ms'];
    return rows.map((row, i) => ({ ...row, target: targets[i] ?? null }));
  },
};
