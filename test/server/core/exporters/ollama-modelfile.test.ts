import { describe, expect, it } from 'vitest';
import type { Plan } from '@/server/core/plan/plan';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { node, planOf, serving } from '@/test/fixtures/pipelines';

const plan = (): Plan =>
  planOf(
    serving(
      [
        node('engine', 'engine', { engine: 'llama.cpp', runtime: 'llama-server' }),
        node('q4', 'gguf-quantization', { type: 'Q4_K_M' }),
        node('flash', 'flash-attention', { state: 'on' }),
        node('kv', 'kv-cache-type', { key: 'Q8_0', value: 'Q8_0' }),
        node('calm', 'sampling', { temperature: 0 }),
        node('many', 'parallel-sequences', { sequences: 8 }),
        node('chunk', 'prefill-chunk', { tokens: 64 }),
        node('dep', 'deployment', { name: 'Tuned' }),
      ],
      [
        'model.weights > q4.weights',
        'q4.weights > flash.serving',
        'flash.serving > kv.serving',
        'kv.serving > calm.serving',
        'calm.serving > many.serving',
        'many.serving > chunk.serving',
        'chunk.serving > dep.serving',
      ],
    ),
  );

/** Instructions and parameters of ollama/ollama docs/modelfile.mdx @071c82b1. */
const INSTRUCTIONS = /^(FROM|PARAMETER|TEMPLATE|SYSTEM|ADAPTER|LICENSE|MESSAGE|REQUIRES) (.+)$/;
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  num_ctx: /^\d+$/,
  repeat_last_n: /^-?\d+$/,
  repeat_penalty: /^[\d.]+$/,
  temperature: /^[\d.]+$/,
  seed: /^\d+$/,
  stop: /^".*"$/,
  num_predict: /^-?\d+$/,
  draft_num_predict: /^\d+$/,
  top_k: /^\d+$/,
  top_p: /^[\d.]+$/,
  min_p: /^[\d.]+$/,
};

/** Lines that Ollama does not read. */
function modelfileFaults(text: string): string[] {
  return text.split('\n').filter((line) => {
    if (line === '' || line.startsWith('#')) return false;
    const [, instruction, rest = ''] = INSTRUCTIONS.exec(line) ?? [];
    if (instruction === undefined) return true;
    if (instruction !== 'PARAMETER') return false;
    const [name = '', value = ''] = rest.split(/ (.*)/s);
    return PARAMETERS[name]?.test(value) !== true;
  });
}

describe('Ollama Modelfile', () => {
  it('is the golden file, of its grammar', async () => {
    const text = fileOf(plan(), 'ollama-modelfile', 'Modelfile');
    await expect(text).toMatchFileSnapshot('../../../golden/exports/Modelfile');
    expect(modelfileFaults(text)).toEqual([]);
    expect(modelfileFaults('PARAMETER num_ctx many\nRUN x')).toHaveLength(2);
    expect(text.match(/^FROM /gm)).toHaveLength(1);
  });

  it('keeps the rest in the environment of its server', () => {
    expect(
      fileOf(plan(), 'ollama-modelfile', 'ollama.env')
        .split('\n')
        .filter((line) => !line.startsWith('#')),
    ).toEqual(['OLLAMA_FLASH_ATTENTION=1', 'OLLAMA_KV_CACHE_TYPE=q8_0', 'OLLAMA_NUM_PARALLEL=8', '']);
    expect(fileOf(plan(), 'ollama-modelfile', 'prepare-weights.sh')).toContain('llama-quantize');
  });

  it('says what Ollama cannot hold', () => {
    const { findings } = exported(plan(), 'ollama-modelfile');
    expect(findings.map(({ nodeId, message }) => [nodeId, message.split(' ')[0]])).toEqual([
      ['chunk', 'prefillTokensPerStep'],
    ]);
  });
});
