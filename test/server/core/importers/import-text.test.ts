import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import { exportPlan } from '@/server/core/exporters/export-plans';
import { EXPORTERS } from '@/server/core/exporters/index';
import { importText, MAX_TEXT } from '@/server/core/importers/import-text';
import { detect } from '@/server/core/importers/index';
import { idleDevices } from '@/server/core/rules/idle-devices';
import { codes, planOf } from '@/test/fixtures/pipelines';

const paramsOf = (text: string, id: string): Record<string, unknown> | undefined =>
  importText(text).pipeline.nodes.find((node) => node.id === id)?.params;
const rawOf = (text: string): unknown => paramsOf(text, 'engine')?.rawArgs ?? null;
const argvOf = (text: string): string => planOf(importText(text).pipeline, 'deployment').argv?.join(' ') ?? '';

describe('detect', () => {
  it.each([
    ['vllm serve x/y', 'command-line'],
    ['services:\n  a:\n    image: vllm/vllm-openai:v1', 'docker-compose'],
    ['apiVersion: v1\nkind: Pod', 'kubernetes'],
    ['hello world', null],
    ['', null],
  ])('%j is %s', (text, id) => {
    expect(detect(text)?.id ?? null).toBe(id);
  });
});

describe('llama-server', () => {
  it('shares the context among the sequences', () => {
    const text = 'llama-server -m a-Q4_K_M.gguf -c 8192 -np 4';
    expect(paramsOf(text, 'context')).toEqual({ tokensPerSequence: 2048 });
    expect(paramsOf(text, 'parallel-sequences')).toEqual({ sequences: 4 });
    expect(argvOf(text)).toContain('--ctx-size 8192 --parallel 4');
  });

  it('says where a context does not divide', () => {
    const { findings } = importText('llama-server -m a-Q4_K_M.gguf -c 10000 -np 3');
    expect(findings.find((f) => f.code === 'context-rounded')).toMatchObject({
      severity: 'warning',
      nodeId: 'context',
    });
  });

  it('takes the drafted tokens and the sequences off the step', () => {
    const text = 'llama-server -m a-Q4_K_M.gguf -md b-Q8_0.gguf --spec-draft-n-max 3 -np 2 -b 256 -ub 256';
    expect(paramsOf(text, 'prefill-chunk')).toEqual({ tokens: 248 });
    expect(argvOf(text)).toContain('--batch-size 256 --ubatch-size 256');
  });

  it('names the downloaded quantization and the model of the facts', () => {
    const text = 'llama-server -hf bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q5_K_M';
    const repo = 'bartowski/Meta-Llama-3.1-8B-Instruct-GGUF';
    expect(paramsOf(text, 'quantization')).toEqual({ type: 'Q5_K_M', source: 'checkpoint', repo });
  });

  it('names what took the place of a removed flag', () => {
    const { findings } = importText('llama-server -m a-Q4_K_M.gguf --draft-max 9');
    expect(findings.find((f) => f.code === 'flag-removed')?.message).toContain('--spec-draft-n-max');
  });

  it('reads paths of Windows', () => {
    expect(paramsOf('.\\llama-server.exe -m C:\\models\\a-Q4_K_M.gguf', 'model')?.path).toBe(
      'C:\\models\\a-Q4_K_M.gguf',
    );
  });
});

describe('vLLM', () => {
  it('reads abbreviations as argparse does and names them', () => {
    const { findings } = importText('vllm serve Qwen/Qwen3-8B --max-model 4096');
    expect(codes(findings)).toContain('flag-abbreviated');
    expect(paramsOf('vllm serve Qwen/Qwen3-8B --max-model 4096', 'context')).toEqual({ tokensPerSequence: 4096 });
  });

  it.each([
    ['16k', 16000],
    ['16K', 16384],
    ['1.5k', 1500],
    ['8192', 8192],
  ])('--max-model-len %s is %i tokens', (text, tokens) => {
    expect(paramsOf(`vllm serve a/b --max-model-len ${text}`, 'context')).toEqual({ tokensPerSequence: tokens });
  });

  it('joins the dotted parts of speculation', () => {
    const text = 'vllm serve a/b --speculative-config.method ngram --speculative-config.num_speculative_tokens 4';
    expect(paramsOf(text, 'prompt-lookup')).toEqual({ k: 4, min: 5, max: 5 });
    expect(rawOf(text)).toBeNull();
  });

  it('keeps what no node holds, word for word', () => {
    const text = `vllm serve a/b --hf-overrides '{"x": [1, "y z"]}' --seed=7 --enforce-eager`;
    expect(argvOf(text)).toContain('--hf-overrides {"x": [1, "y z"]} --seed=7 --enforce-eager');
  });

  it('keeps variables as they are', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell would fill it in
    const text = 'vllm serve "$MODEL" --seed ${SEED:-3} --download-dir $(pwd)/x';
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell would fill it in
    expect(argvOf(text)).toContain('$MODEL --seed ${SEED:-3} --download-dir $(pwd)/x'.slice(7));
    expect(paramsOf(text, 'model')?.path).toBe('$MODEL');
  });

  it('counts the devices of parallel ranks', () => {
    expect(paramsOf('vllm serve a/b -tp 4 -pp 2', 'hardware')).toEqual({ device: 'H100-SXM', count: 8 });
  });

  it.each([
    ['-tp 4 -pp 2', []],
    ['--data-parallel-size=8', []],
    ['-tp $TP', []],
    ['--max-num-seqs 8', ['CUDA_VISIBLE_DEVICES=0,1 of which one idles']],
  ])('%s is seen by the rule about idle devices', (flags, idle) => {
    const prefix = idle.length === 0 ? '' : 'CUDA_VISIBLE_DEVICES=0,1 ';
    const { pipeline } = importText(`${prefix}vllm serve Qwen/Qwen3-32B ${flags}`);
    // Its own baseline: one that is synthesized spreads over nothing.
    const nodes = pipeline.nodes.map((n) => (n.type === 'deployment' ? { ...n, params: { baseline: true } } : n));
    const { findings } = compilePipeline({ ...pipeline, nodes }, { engines: ENGINES, rules: [idleDevices] });
    expect(findings.filter((f) => f.code === 'idle-devices')).toHaveLength(idle.length);
  });

  it('imports the first start and names the others', () => {
    const { findings } = importText('vllm serve a/b --port 1 &\nvllm serve c/d --port 2');
    expect(codes(findings)).toContain('engine-start-not-imported');
  });
});

describe('ONNX Runtime GenAI', () => {
  const builder = 'python3 -m onnxruntime_genai.models.builder -m Qwen/Qwen3-8B -o /models/onnx -e cuda';

  it('reads the numbers of the export and the precision of its weights', () => {
    expect(paramsOf(`${builder} -p fp16`, 'compute-dtype')).toEqual({ dtype: 'float16' });
    expect(importText(`${builder} -p int8`).pipeline.nodes.map(({ type }) => type)).toContain('int8-weight-only');
  });

  it('reads the options laid over its configuration, those that several settings share too', () => {
    const options = { search: { max_length: 4096, temperature: 0.7, top_p: 0.9, do_sample: true, top_k: 3 } };
    const text = `cat > genai_config.overlay.json <<E\n${JSON.stringify(options)}\nE\n${builder} -p bf16`;
    expect(paramsOf(text, 'context')).toEqual({ tokensPerSequence: 4096 });
    expect(paramsOf(text, 'sampling')).toMatchObject({ temperature: 0.7, top_p: 0.9, top_k: 3 });
    expect(paramsOf(text, 'engine')?.rawConfig).toBeUndefined();
  });
});

describe('TGI', () => {
  it('reads the list of captured batches as its largest', () => {
    const text = 'CUDA_GRAPHS=1,2,4,8 text-generation-launcher --model-id Qwen/Qwen3-8B';
    expect(paramsOf(text, 'cuda-graphs')).toMatchObject({ maxBatch: 8 });
    expect(paramsOf(text.replace('1,2,4,8', '0'), 'cuda-graphs')).toMatchObject({ state: 'off' });
  });
});

describe('scripts', () => {
  it('fill in variables that they define, and name those that they do not', () => {
    const text = 'M=Qwen/Qwen3-8B\nN=2048\nvllm serve $M --max-model-len "$N" --seed $OTHER --served-model-name \'$M\'';
    expect(paramsOf(text, 'model')).toEqual({ model: 'Qwen3-8B' });
    expect(paramsOf(text, 'context')).toEqual({ tokensPerSequence: 2048 });
    expect(argvOf(text)).toContain('--seed $OTHER --served-model-name $M');
    const unknown = importText(text).findings.filter((f) => f.code === 'variable-unknown');
    expect(unknown.map((f) => f.message)).toEqual(['$OTHER is defined nowhere in the text; it is kept as it stands.']);
  });

  it('keep entries of a configuration file that no node holds', () => {
    const text =
      'cat >c.yaml <<E\nstream_interval: 4\nprint_iter_log: true\nE\ntrtllm-serve Qwen/Qwen3-8B --config c.yaml';
    expect(paramsOf(text, 'engine')?.rawConfig).toBe('print_iter_log: true\n');
    const { config } = planOf(importText(text).pipeline, 'deployment').components[0] ?? { config: [] };
    expect(config.map(({ path, value }) => [path, value])).toEqual([
      ['stream_interval', 4],
      ['print_iter_log', true],
    ]);
  });

  it('say where a configuration file is missing', () => {
    expect(codes(importText('trtllm-serve Qwen/Qwen3-8B --config c.yaml').findings)).toContain('config-not-given');
  });
});

describe('secrets', () => {
  const random = 'Zq8'.repeat(14);
  it.each([
    [`vllm serve a/b --api-key ${random}`],
    [`vllm serve a/b --api-key=${random}`],
    [`vllm serve a/b --served-model-name ${random}`],
    [`VLLM_API_KEY=${random} vllm serve a/b`],
    [`OPENAI_API_KEY=${random} vllm serve a/b`],
    [`docker run -e AWS_SECRET_ACCESS_KEY=${random} vllm/vllm-openai:v1 --model a/b`],
    [`llama-server -m a-Q4_0.gguf --hf-token ${random}`],
    [`llama-server -m a-Q4_0.gguf --some-token ${random} --api-key ${random} --api-key ${random}`],
    [`env X=${random} numactl ${random} vllm serve a/b >${random}.log`],
    [`vllm serve a/b & vllm serve --api-key ${random} c/d`],
    [`vllm serve https://me:${random}@hub/model --config ${random}`],
    [`vllm serve a/b --otlp-traces-endpoint https://me:${random}@host/`],
  ])('are not stored: %s', (text) => {
    const imported = importText(text);
    expect(JSON.stringify(imported)).not.toContain(random);
    expect(imported.pipeline.nodes).not.toHaveLength(0);
  });

  it.each(['llama-server', 'docker-compose'])('are filled in by what %s writes', (id) => {
    const plan = planOf(importText(`llama-server -m a-Q4_0.gguf --hf-token ${random}`).pipeline, 'deployment');
    const form = EXPORTERS.find((entry) => entry.id === id);
    const file = form === undefined ? '' : (exportPlan(plan, form, ENGINES).files[0]?.content ?? '');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash and Compose fill it in
    expect(file).toContain('${INFERLOOM_SECRET_HF_TOKEN:?set it to the secret}');
    expect(file).not.toContain('\\$INFERLOOM');
  });

  it('become the reference of the API key node', () => {
    expect(paramsOf('vllm serve a/b --api-key abc', 'api-key')).toEqual({ secret: 'INFERLOOM_SECRET_API_KEY' });
    expect(paramsOf('vllm serve a/b --api-key $HOUSE_KEY', 'api-key')).toEqual({
      secret: 'INFERLOOM_SECRET_HOUSE_KEY',
    });
  });

  it('are not seen in commits and model names', () => {
    const text = `vllm serve Qwen/Qwen3-Coder-480B-A35B-Instruct --revision ${'0a1b2c3d'.repeat(5)}`;
    expect(codes(importText(text).findings)).not.toContain('secret-referenced');
  });
});

describe('text of any kind', () => {
  it.each([
    ['', 'not-recognized'],
    ['a poem', 'not-recognized'],
    ['pip install vllm', 'no-engine-start'],
    ['services: [', 'yaml-invalid'],
    ['x'.repeat(MAX_TEXT + 1), 'text-too-long'],
    ['vllm serve', 'model-not-named'],
  ])('%.20s gives %s', (text, code) => {
    expect(codes(importText(text).findings)).toContain(code);
  });

  it('does not expand a YAML bomb', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(',')}]`);
    const { findings } = importText(`services:\n  a: {image: vllm}\nl0: &l0 [x]\n${levels.join('\n')}`);
    expect(codes(findings)).toContain('yaml-invalid');
  });

  it.each([
    ['nested lists', `services: ${'['.repeat(90_000)}`, 'yaml-invalid'],
    ['anchors', `services: &a\n${' b: &c [*a]\n'.repeat(7000)}`, 'yaml-invalid'],
    ['nested arrays', `${'a=('.repeat(30_000)}vllm serve a/b`, 'no-engine-start'],
  ])('refuses %s at once', (_, text, code) => {
    expect(codes(importText(text).findings)).toContain(code);
  });

  it('ends on deep nesting', () => {
    const deep = `${'['.repeat(4000)}${']'.repeat(4000)}`;
    expect(() => importText(`services: ${deep}`)).not.toThrow();
    expect(() => importText(`vllm serve a/b ${'$('.repeat(3000)}`)).not.toThrow();
  });

  it('never throws', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        'vllm serve ',
        'llama-server -m x',
        'services:\n',
        'apiVersion: v1\n',
        '--',
        "'",
        '"',
        '=',
        '\\\n',
        '(',
        '{',
        '#',
        '-c -1 ',
        '--max-model-len ',
        '__proto__',
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { findings, pipeline } = importText(pieces.join(''));
        expect(pipeline.nodes.length + findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});
