import { expect, it } from 'vitest';
import { importText } from '@/server/core/importers/import-text';
import { unitWords } from '@/server/core/importers/unit-words';
import { planOf } from '@/test/fixtures/pipelines';

it.each([
  ['a  b', ['a', 'b']],
  ['"a b" \'c d\'', ['a b', 'c d']],
  ['--x="{\\"k\\": \\"v w\\"}"', ['--x={"k": "v w"}']],
  ['a\\x41\\tb 50%%', ['aA\tb', '50%']],
  ['x "never ends', ['x', 'never', 'ends']],
])('%j are the words %j', (text, words) => {
  expect(unitWords(text)).toEqual(words);
});

it('comments between continued lines of a unit are passed over', () => {
  const unit = [
    '[Service]',
    'Environment="VLLM_USE_DEEP_GEMM=$$1"',
    'ExecStart=/usr/bin/env vllm serve \\',
    '  # the model',
    '  Qwen/Qwen3-8B \\',
    '; length',
    '  --max-model-len 4096 --served-model-name "a $$b"',
  ].join('\n');
  const { pipeline, unmapped } = importText(unit);
  expect(planOf(pipeline, 'deployment').argv?.join(' ')).toContain('--max-model-len 4096 --served-model-name a $b');
  expect(unmapped).toContainEqual({ flag: 'VLLM_USE_DEEP_GEMM', value: '$$1', node: null });
});
