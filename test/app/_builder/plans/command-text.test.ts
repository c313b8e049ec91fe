import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandText } from '@/app/_builder/plans/command-text';

it('quotes what a shell would read otherwise', () => {
  expect(commandText(['vllm', 'serve', 'org/model', '--port', '8000'])).toBe('vllm serve org/model --port 8000');
  expect(commandText(['a b', '', "it's", '$HOME', '{"k":1}'])).toBe(`'a b' '' 'it'\\''s' '$HOME' '{"k":1}'`);
});

it('a real shell reads back the very same words', () => {
  const words = ['a b', '', "it's", '$HOME `id`', '{"k":[1, 2]}', '*', '~', '\\n', 'é', 'x\ny'];
  const out = execFileSync('sh', ['-c', `printf '%s\\0' ${commandText(words)}`], { encoding: 'utf8' });
  expect(out.split('\0').slice(0, -1)).toEqual(words);
});
