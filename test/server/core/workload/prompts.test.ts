import { describe, expect, it } from 'vitest';
import { buildPrompt, isSized, nextSize, type SizeProbe, sharedPrefix } from '@/server/core/workload/prompts';

const words = (text: string): string[] => text.split(' ');
const size = { prefixWords: 40, uniqueWords: 60 };

describe('buildPrompt', () => {
  const prefix = sharedPrefix(3, size.prefixWords);

  it('is the same for the same seed, stream and index, and differs in each of them', () => {
    const prompt = buildPrompt(prefix, 3, '0-measure', 0, size);
    expect(buildPrompt(prefix, 3, '0-measure', 0, size)).toBe(prompt);
    const others = [
      buildPrompt(prefix, 4, '0-measure', 0, size),
      buildPrompt(prefix, 3, '0-warmup', 0, size),
      buildPrompt(prefix, 3, '0-measure', 1, size),
    ];
    expect(new Set([prompt, ...others]).size).toBe(4);
  });

  it('shares the prefix and nothing after it', () => {
    const [a, b] = [0, 1].map((i) => words(buildPrompt(prefix, 3, 's', i, size)));
    expect(a?.slice(0, 40)).toEqual(b?.slice(0, 40));
    expect(a?.slice(40, 46)).not.toEqual(b?.slice(40, 46));
    expect(a).toHaveLength(100);
  });

  it('starts with the nonce where nothing is shared', () => {
    const alone = { prefixWords: 0, uniqueWords: 30 };
    const [a, b] = [0, 1].map((i) =>
      words(buildPrompt('', 3, 's', i, alone))
        .slice(0, 6)
        .join(' '),
    );
    expect(a).not.toBe(b);
  });

  it('has no two equal nonces among many prompts', () => {
    const alone = { prefixWords: 0, uniqueWords: 6 };
    const nonces = Array.from({ length: 2000 }, (_, i) => buildPrompt('', 1, 's', i, alone));
    expect(new Set(nonces).size).toBe(2000);
  });
});

describe('nextSize', () => {
  /** A tokenizer with 1.3 tokens a word and a template of 25 tokens. */
  const count = (n: number): number => Math.round(25 + 1.3 * n);

  it.each([40, 300, 4000])('reaches %d tokens within 2 % in a few probes', (inputTokens) => {
    const probes: SizeProbe[] = [];
    let counted = 0;
    for (let i = 0; i < 4 && !isSized(inputTokens, counted); i++) {
      const { prefixWords, uniqueWords } = nextSize(inputTokens, 0, probes);
      counted = count(prefixWords + uniqueWords);
      probes.push({ words: prefixWords + uniqueWords, tokens: counted });
    }
    expect(isSized(inputTokens, counted)).toBe(true);
  });

  it('gives the prefix its share and always leaves a word of its own', () => {
    const { prefixWords, uniqueWords } = nextSize(200, 150, []);
    expect(prefixWords / (prefixWords + uniqueWords)).toBeCloseTo(0.75, 1);
    expect(nextSize(1, 1, []).uniqueWords).toBeGreaterThanOrEqual(1);
  });
});
