import { describe, expect, it } from 'vitest';
import { detectDegenerate } from '@/server/core/quality/degenerate';

const sane =
  'The quick brown fox jumps over the lazy dog while a small crowd of onlookers cheers and the sun sets slowly behind the hills';
const of = (bad: string, share: number): string[] => Array.from({ length: 8 }, (_, i) => (i < 8 * share ? bad : sane));

describe('detectDegenerate', () => {
  it('is silent about sane answers, short ones and none', () => {
    expect(detectDegenerate(Array.from({ length: 8 }, () => sane))).toBeNull();
    expect(detectDegenerate(['yes', 'no no no'])).toBeNull();
    expect(detectDegenerate([])).toBeNull();
  });

  it.each([
    ['empty', '  \n'],
    ['repeat', `It began well and then ${'the same thing again '.repeat(8)}`],
    ['repeat', 'no '.repeat(40)],
    ['another script', 'This answer begins in English but then Москва слезам не верит и продолжается дальше'],
    ['another script', `${'\uFFFD'.repeat(40)}`],
  ])('finds answers that are degenerate: %s', (why, text) => {
    expect(detectDegenerate(of(text, 0.5))).toContain(why);
    expect(detectDegenerate(of(text, 0.5))).toContain('4 of 8');
  });

  it('tolerates a quarter', () => {
    expect(detectDegenerate(of('', 0.25))).toBeNull();
  });

  it('does not take a quoted word or a list for a loop', () => {
    const list = 'One apple and two pears and three plums and four cherries and five figs and six dates and seven nuts';
    expect(detectDegenerate([list])).toBeNull();
  });
});
