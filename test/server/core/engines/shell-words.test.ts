import fc from 'fast-check';
import { quote } from 'shell-quote';
import { describe, expect, it } from 'vitest';
import { readShell, shellWords } from '@/server/core/engines/shell-words';

describe('shellWords', () => {
  it.each([
    ['a "b c" \'d e\' f\\ g', ['a', 'b c', 'd e', 'f g']],
    ['--x={"a":1} foo#bar # comment', ['--x={a:1}', 'foo#bar']],
    ['--cfg \'{\n "a": 1\n}\' end', ['--cfg', '{\n "a": 1\n}', 'end']],
    ['-m $MODEL "${DIR:-/m}/x" $(id -u) `id`', ['-m', '$MODEL', '${DIR:-/m}/x', '$(id -u)', '`id`']],
    ['"\\$HOME \\" \\n"', ['$HOME " \\n']],
    ["$'a\\tb\\'c'", ["a\tb'c"]],
    ['\'\' ""', ['', '']],
    ['a \\\n  b \\  \n c', ['a', 'b', 'c']],
  ])('splits %j', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });

  it('takes redirections, comments and arrays aside', () => {
    const shell = readShell('args=(\n  --a 1 # one\n  "b c"\n)\nx=1; run "${args[@]}" >out.log 2>&1 &\n# end');
    expect(shell.statements).toEqual([['x=1'], ['run', '${args[@]}']]);
    expect(shell.arrays.get('args')).toEqual(['--a', '1', 'b c']);
    expect(shell.redirects).toEqual(['>out.log', '2>&1']);
    expect(shell.comments).toEqual(['one', 'end']);
  });

  it.each(["'", '"', '(', 'a=(', '${', '$(', "$'", '\\', 'a=(;', '))'])('ends on the unfinished text %s', (text) => {
    expect(() => readShell(text)).not.toThrow();
  });

  it('reads back what shell-quote writes', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        // Our words stay on one line of bash, which has no NUL.
        const clean = words.map((text) => text.replaceAll('\0', ''));
        expect(shellWords(quote(clean))).toEqual(clean);
      }),
      { numRuns: 200 },
    );
  });
});
