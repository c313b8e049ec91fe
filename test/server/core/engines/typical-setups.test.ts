import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { RULES } from '@/server/core/rules/index';
import { graphOf, SET_UPS } from '@/test/fixtures/typical-setups';

/** What rules and compiler refuse; common set-ups are not refused. */
const errorsOf = (document: Pipeline): string[] =>
  compilePipeline(document, { engines: ENGINES, rules: RULES })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);

/** Argument by argument with its arithmetic, then what the compiler found. */
function written(document: Pipeline): string {
  const { plans, findings } = compilePipeline(document, { engines: ENGINES });
  const plan = plans.find(({ deployment }) => deployment === 'dep');
  const component = plan?.components[0];
  const args = (component?.args ?? []).map(({ flag, value, note }) => {
    return `  ${flag}${value === null ? '' : ` ${value}`}${note === null ? '' : `  # ${note}`}`;
  });
  const command = component?.argv.slice(0, component.argv.length - args.length) ?? [];
  const found = findings.map(({ severity, code, nodeId, message }) => `${severity} ${code} @${nodeId}: ${message}`);
  const argv = component?.argv.join(' ') ?? 'no plan';
  return [argv, '', command[0] ?? '', ...args, '', `image ${component?.image}`, ...found.sort(), ''].join('\n');
}

/** What these set-ups become on their engine is kept, so that a change of it is seen in review. */
describe('typical set-ups', () => {
  it.each(Object.entries(SET_UPS))('%s', async (name, setUp) => {
    expect(errorsOf(graphOf(setUp))).toEqual([]);
    await expect(written(graphOf(setUp))).toMatchFileSnapshot(`../../../golden/engines/${name}.txt`);
  });
});
