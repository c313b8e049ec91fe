import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import { parsePipeline } from '@/server/core/pipeline/parse';
import { RULES } from '@/server/core/rules/index';

const FOLDER = fileURLToPath(new URL('../../../golden/common/', import.meta.url));
const names = readdirSync(FOLDER).flatMap((file) => /^(.*)\.graph\.json$/.exec(file)?.[1] ?? []);

/** Set-ups that people really run: none of them is refused, and what each becomes is kept for review. */
describe('common set-ups', () => {
  it('are all there', () => {
    expect(names.length).toBeGreaterThanOrEqual(14);
  });

  it.each(names)('%s', async (name) => {
    const read = parsePipeline(JSON.parse(readFileSync(`${FOLDER}${name}.graph.json`, 'utf8')));
    expect(read.findings).toEqual([]);
    const { plans, findings } = compilePipeline(read.pipeline, { engines: ENGINES, rules: RULES });
    expect(findings.filter((f) => f.severity === 'error').map((f) => `${f.code}@${f.nodeId}: ${f.message}`)).toEqual(
      [],
    );
    const shown = {
      plan: plans[0],
      findings: findings.map((f) => `${f.severity} ${f.code}@${f.nodeId}: ${f.message}`),
    };
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(`${FOLDER}${name}.plan.json`);
  });
});
