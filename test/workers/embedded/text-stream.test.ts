import { describe, expect, it } from 'vitest';
import { TextStream } from '@/workers/embedded/text-stream';

/** One token a byte: characters of several bytes come in several tokens. */
const bytes = (text: string): number[] => [...Buffer.from(text)];
const decode = (tokens: readonly number[]): string => Buffer.from(tokens as number[]).toString('utf8');

function run(text: string, stops: string[] = []): { text: string; parts: string[]; stopped: boolean } {
  const stream = new TextStream(decode, [], stops);
  const parts: string[] = [];
  for (const token of bytes(text)) {
    const step = stream.push(token);
    parts.push(step.text);
    if (step.stopped) return { text: parts.join(''), parts, stopped: true };
  }
  parts.push(stream.flush());
  return { text: parts.join(''), parts, stopped: false };
}

describe('TextStream', () => {
  it('gives the whole text, whatever its characters', () => {
    for (const text of ['plain', 'naïve – 日本語 🚀 end', '']) expect(run(text).text).toBe(text);
  });

  it('never shows half a character', () => {
    expect(run('a🚀b').parts.join('|')).not.toContain('\ufffd');
  });

  it('stops before a stop string and holds its beginning back', () => {
    const { text, stopped, parts } = run('one two END three', ['END']);
    expect({ text, stopped }).toEqual({ text: 'one two ', stopped: true });
    expect(parts.join('')).not.toContain('E');
  });

  it('releases what looked like a stop string and was none', () => {
    expect(run('an ENemy', ['END']).text).toBe('an ENemy');
    expect(run('trailing EN', ['END']).text).toBe('trailing EN');
  });

  it('takes the earliest of several stop strings', () => {
    expect(run('a;b.c', ['.', ';']).text).toBe('a');
  });

  it('shows broken bytes in the end instead of holding them for ever', () => {
    const stream = new TextStream(decode, [], []);
    let text = '';
    for (let i = 0; i < 20; i++) text += stream.push(0xff).text;
    expect(text.length).toBeGreaterThan(0);
  });
});
