import { describe, expect, it } from 'vitest';
import { RECIPE_TOOLS } from '@/server/core/catalog/recipe-tools';
import { recipeJobs } from '@/server/core/exporters/recipes/recipe-job';
import type { Checkpoint, Plan } from '@/server/core/plan/plan';
import { recipePlan } from '@/test/fixtures/engine-plans';
import { exported, fileOf, formOf } from '@/test/fixtures/export-form';
import { vllmPlan } from '@/test/fixtures/gateway-plans';

const awq = (): Plan => recipePlan('awq', { tool: 'llm-compressor' });
const withRecipe = (recipe: Checkpoint['recipe'], changes: Partial<Checkpoint> = {}): Plan => {
  const plan = awq();
  const [checkpoint] = plan.checkpoints;
  if (checkpoint === undefined) throw new Error('no checkpoint');
  return { ...plan, checkpoints: [{ ...checkpoint, ...changes, recipe }] };
};

/** Each tool with each scheme that the catalogue says it makes. */
const PAIRS = Object.entries(RECIPE_TOOLS).flatMap(([tool, { makes }]) =>
  makes.map((scheme) => [tool, scheme] as const),
);
describe('quantization recipes', () => {
  it.each([
    ['awq', 'target-1-llm-compressor.py', awq],
    ['nvfp4', 'target-1-modelopt.py', () => recipePlan('nvfp4', {})],
    ['gptq', 'target-1-gptqmodel.py', () => recipePlan('gptq', { tool: 'gptqmodel' })],
  ])('%s is the golden file', async (name, path, make) => {
    await expect(fileOf(make(), 'quantization-recipe', path)).toMatchFileSnapshot(
      `../../../golden/exports/recipe-${name}.py`,
    );
  });

  it.each(PAIRS)('%s makes %s, as the catalogue says', (tool, scheme) => {
    const format =
      scheme === 'gguf' ? 'gguf:Q4_K_M' : scheme === 'pruned' ? 'safetensors:bfloat16' : `safetensors:${scheme}`;
    const toType = format.split(':')[1] ?? '';
    const plan = withRecipe(
      { tool, fromFormat: 'safetensors:bfloat16', toType, options: { groupSize: 64 } },
      { format },
    );
    const { files, findings } = exported(plan, 'quantization-recipe');
    expect(findings).toEqual([]);
    const [job, run] = files;
    expect(run?.path).toBe('make-weights.sh');
    expect(job?.content).toContain('weights/');
    if (job?.path.endsWith('.py')) expectPinned(job.content);
    else if (!['llama-quantize'].includes(tool)) expect(job?.content).toMatch(/uvx .*--from '?[a-z-]+\S*\d/);
  });

  it.each([
    ['olive', 'bnb-nf4', /olive does not make bnb-nf4/],
    ['llm-pruner', 'w4a16', /no job is known for llm-pruner/],
  ])('of %s to %s say why there is none', (tool, toType, reason) => {
    const plan = withRecipe({ tool, fromFormat: 'safetensors:bfloat16', toType }, { format: `safetensors:${toType}` });
    const { findings } = exported(plan, 'quantization-recipe');
    expect(findings).toMatchObject([{ severity: 'error', code: 'recipe-not-written' }]);
    expect(findings[0]?.message).toMatch(reason);
  });

  it('names its calibration set, samples and groups', () => {
    const script = fileOf(awq(), 'quantization-recipe', 'target-1-llm-compressor.py');
    expect(script).toContain('CALIBRATION_SET = "HuggingFaceH4/ultrachat_200k"');
    expect(script).toContain('CALIBRATION_SAMPLES = 512');
    expect(script).toContain('"group_size": 128');
  });

  it('writes where the content says, and again elsewhere when anything differs', () => {
    const outOf = (plan: Plan): string[] => plan.checkpoints.flatMap((c) => recipeJobs(c).map(({ out }) => out));
    expect(outOf(awq())).toEqual(outOf(awq()));
    expect(outOf(awq())[0]).toMatch(/^weights\/[0-9a-f]{16}$/);
    const recipe = awq().checkpoints[0]?.recipe ?? null;
    const others = [
      withRecipe(recipe, { revision: 'abc' }),
      withRecipe(recipe && { ...recipe, options: { groupSize: 64 } }),
      withRecipe(recipe && { ...recipe, tool: 'autoawq' }),
      withRecipe(recipe, { repo: 'other/model' }),
    ].flatMap(outOf);
    expect(new Set([...others, ...outOf(awq())]).size).toBe(5);
    expect(fileOf(awq(), 'quantization-recipe', 'target-1-llm-compressor.py')).toContain(
      `LINK = pathlib.Path("${awq().checkpoints[0]?.fileName}")`,
    );
  });

  it('prunes first where the plan does, and starts the next job from the result', () => {
    const before = [{ tool: 'sparsegpt', options: { pattern: '2:4', percent: 50 } }];
    const plan = withRecipe({ tool: 'llm-compressor', fromFormat: 'safetensors:bfloat16', toType: 'fp8', before });
    const { files } = exported(plan, 'quantization-recipe');
    expect(files.map(({ path }) => path)).toEqual([
      'target-1-sparsegpt.py',
      'target-2-llm-compressor.py',
      'make-weights.sh',
    ]);
    const made = /OUT = pathlib\.Path\("([^"]+)"\)/.exec(files[0]?.content ?? '')?.[1];
    expect(files[1]?.content).toContain(`MODEL = "${made}"`);
    expect(files[0]?.content).toContain('mask_structure="2:4"');
    expect(files[0]?.content).toContain('save_compressed=False');
  });

  it('quotes whatever a repository is called', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell would expand it
    const repo = 'a"b\\c\n${x}\u2028/m';
    const plan = withRecipe(awq().checkpoints[0]?.recipe ?? null, { repo, revision: "it's" });
    const script = fileOf(plan, 'quantization-recipe', 'target-1-llm-compressor.py');
    const literal = /^MODEL = (.*)$/m.exec(script)?.[1] ?? '';
    expect(JSON.parse(literal)).toBe(repo);
    expect(script).toContain('REVISION = "it\'s"');
  });

  it('makes GGUF files with the importance matrix that was named', () => {
    const plan = withRecipe(
      {
        tool: 'llama-quantize',
        fromFormat: 'safetensors:bfloat16',
        toType: 'IQ2_XS',
        options: { imatrix: 'my data.dat' },
      },
      { format: 'gguf:IQ2_XS', fileName: 'm-iq2_xs.gguf' },
    );
    const script = fileOf(plan, 'quantization-recipe', 'target-1-llama-quantize.sh');
    expect(script).toContain('llama-quantize --imatrix \'my data.dat\' "$part.f16.gguf" "$part" IQ2_XS');
  });

  it('keeps the matrix and the unquantized file apart in the scripts and containers that quantize, too', () => {
    const made = recipePlan('gguf-quantization', { type: 'Q4_K_M' }, 'llama.cpp', 'Llama-3.1-8B');
    const [checkpoint] = made.checkpoints;
    if (checkpoint?.recipe == null) throw new Error('no recipe');
    const recipe = { ...checkpoint.recipe, options: { imatrix: 'data/my.dat' } };
    const plan = { ...made, checkpoints: [{ ...checkpoint, recipe, fileName: 'llama-q4_k_m-0123abcd.gguf' }] };
    const script = fileOf(plan, 'llama-server', 'llama-server.sh');
    expect(script).toContain('llama-quantize --imatrix data/my.dat llama-f16.gguf llama-q4_k_m-0123abcd.gguf Q4_K_M');
    const compose = fileOf(plan, 'docker-compose', 'compose.yaml');
    expect(compose).toContain('--imatrix /models/my.dat');
    expect(compose).toContain('Put my.dat into ./models: from data/my.dat, the importance matrix');
    const pruned = {
      ...plan,
      checkpoints: [{ ...checkpoint, recipe: { ...recipe, before: [{ tool: 'sparsegpt', options: {} }] } }],
    };
    for (const id of ['llama-server', 'systemd-unit', 'ollama-modelfile']) {
      expect(exported(pruned, id).findings.map(({ code }) => code)).toContain('weights-by-recipe');
    }
    expect(fileOf(pruned, 'docker-compose', 'compose.yaml')).toContain('weights that sparsegpt makes first');
  });

  it('is refused where weights are taken as they are', () => {
    expect(formOf('quantization-recipe').refusal(vllmPlan())).toMatch(/takes them as they are/);
  });
});

/** Inline metadata of PEP 723 with exact versions only, and code that reads MODEL and writes PART. */
function expectPinned(script: string): void {
  const block = /^# \/\/\/ script\n((?:# .*\n)+)# \/\/\/$/m.exec(script)?.[1] ?? '';
  const packages = [...block.matchAll(/^# {3}("[^"]+"),$/gm)].map(([, name]) => JSON.parse(name ?? '""') as string);
  expect(packages.length).toBeGreaterThan(0);
  for (const name of packages) expect(name).toMatch(/^[a-z0-9-]+(\[[a-z]+\])?==\d+(\.\d+)+$/);
  expect(script).toMatch(/PART/);
  expect(script).toMatch(/from_pretrained\(\s*MODEL|load\(MODEL/);
}
