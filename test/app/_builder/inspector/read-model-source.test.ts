import { describe, expect, it } from 'vitest';
import { describeFile, describeText, sourceOfPlace } from '@/app/_builder/inspector/read-model-source';

const CONFIG = JSON.stringify({ num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4, vocab_size: 256 });

describe('the text of a model', () => {
  it('is a config.json or our own facts', async () => {
    expect((await describeText(CONFIG)).own).toMatchObject({ layers: 2, source: 'config.json' });
    const facts = JSON.stringify({ layers: 2, hidden: 64, heads: 4, vocab: 256 });
    expect((await describeText(facts)).own).toMatchObject({ layers: 2, source: 'by hand' });
  });

  it('that is neither says which field is at fault', async () => {
    expect((await describeText('{"hidden_size": 64}')).problem).toContain('num_hidden_layers');
    expect((await describeText('{"layers": 2, "hidden": 64, "heads": -4, "vocab": 256}')).problem).toContain('heads:');
    expect((await describeText('{')).problem).toContain('not JSON');
  });
});

describe('a file', () => {
  it('is told by its first bytes, not by its name', async () => {
    expect((await describeFile(new File([CONFIG], 'any.gguf'))).own).toMatchObject({ layers: 2 });
    const broken = await describeFile(new File(['GGUF', new Uint8Array(4)], 'any.bin'));
    expect(broken.problem).toContain('any.bin: ');
    expect(broken.problem).toContain('GGUF');
  });
});

describe('a place', () => {
  it('is a repository, its page, or a file', () => {
    expect(sourceOfPlace(' Qwen/Qwen3-8B ')).toEqual({ repo: 'Qwen/Qwen3-8B' });
    expect(sourceOfPlace('hf:Qwen/Qwen3-8B')).toEqual({ repo: 'Qwen/Qwen3-8B' });
    expect(sourceOfPlace('https://huggingface.co/Qwen/Qwen3-8B')).toEqual({ repo: 'Qwen/Qwen3-8B' });
    expect(sourceOfPlace('https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json')).toEqual({
      repo: 'Qwen/Qwen3-8B',
      revision: 'main',
    });
    expect(sourceOfPlace('https://huggingface.co/o/n/blob/v1/n-q4.gguf?download=true')).toEqual({
      url: 'https://huggingface.co/o/n/resolve/v1/n-q4.gguf',
    });
    expect(sourceOfPlace('https://example.com/config.json')).toEqual({ url: 'https://example.com/config.json' });
  });
});
