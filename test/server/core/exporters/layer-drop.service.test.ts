import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exported } from '@/test/fixtures/export-form';
import { node, pipeline, planOf } from '@/test/fixtures/pipelines';

const TRANSFORMERS = `
import json, pathlib

class Part:
    def __init__(self, index):
        self.layer_idx = index
class Layer:
    def __init__(self, index):
        self.name, self.part = index, Part(index)
    def modules(self):
        return [self, self.part]
class Inner: pass
class Model:
    @classmethod
    def from_pretrained(cls, name, **_):
        made = cls()
        made.model, made.config = Inner(), Inner()
        made.model.layers = [Layer(i) for i in range(6)]
        made.config.num_hidden_layers = 6
        made.config.layer_types = ["full", "window"] * 3
        return made
    def save_pretrained(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        layers = [[layer.name, layer.part.layer_idx] for layer in self.model.layers]
        saved = {"layers": layers, "count": self.config.num_hidden_layers, "types": self.config.layer_types}
        (folder / "saved.json").write_text(json.dumps(saved))
class Tokenizer:
    @classmethod
    def from_pretrained(cls, name, **_):
        return cls()
    def save_pretrained(self, folder): pass
AutoModelForCausalLM, AutoTokenizer = Model, Tokenizer
`;
const TORCH = 'class nn:\n    ModuleList = list\n';

const plan = (layers: number) =>
  planOf(
    pipeline(
      [
        node('model', 'model', { model: 'Llama-3.1-8B' }),
        node('prune', 'structured-pruning', { source: 'recipe', layers }),
        node('engine', 'engine', { engine: 'vllm' }),
        node('gpu', 'hardware', { device: 'H100-SXM' }),
        node('chat', 'workload'),
        node('dep', 'deployment'),
      ],
      [
        'model.weights > prune.weights',
        'prune.weights > dep.serving',
        'engine.engine > dep.engine',
        'gpu.hardware > dep.hardware',
      ],
    ),
  );
const scriptOf = (layers: number): string => {
  const file = exported(plan(layers), 'quantization-recipe').files.find(({ path }) => path.endsWith('.py'));
  if (!file) throw new Error('no script');
  return file.content;
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'layer-drop-'));
  writeFileSync(join(folder, 'transformers.py'), TRANSFORMERS);
  writeFileSync(join(folder, 'torch.py'), TORCH);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (layers: number) => {
  writeFileSync(join(folder, 'job.py'), scriptOf(layers));
  return spawnSync('python3', ['job.py'], { cwd: folder, encoding: 'utf8', timeout: 20_000 });
};

/** The script is Python; a machine without it cannot run it. */
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('the job that takes layers out', () => {
  it('keeps the first ones and the last, numbered anew, and says so in the configuration', () => {
    const { status, stderr } = run(2);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const out = /OUT = pathlib\.Path\("(.*)"\)/.exec(scriptOf(2))?.[1] ?? '';
    const saved = JSON.parse(readFileSync(join(folder, out, 'saved.json'), 'utf8'));
    expect(saved).toEqual({
      layers: [
        [0, 0],
        [1, 1],
        [2, 2],
        [5, 3],
      ],
      count: 4,
      types: ['full', 'window', 'full', 'window'],
    });
  });

  it('refuses to take nearly all of them', () => {
    const { status, stderr } = run(5);
    expect(status).toBe(1);
    expect(stderr).toContain('5 of them cannot be dropped');
  });

  it('is one of its own for each count', () => {
    expect(plan(2).planHash).not.toBe(plan(3).planHash);
    expect(plan(2).checkpoints[0]).toMatchObject({ source: 'recipe', recipe: { tool: 'layer-drop' } });
  });
});
