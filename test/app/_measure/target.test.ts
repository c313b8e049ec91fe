import { describe, expect, it } from 'vitest';
import { leastSeconds, PRESETS } from '@/app/_measure/presets';
import { emptyTarget, targetErrors, toTarget } from '@/app/_measure/target';

const typed = { ...emptyTarget('prod'), url: ' https://api.example.com/v1/ ', model: 'm' };

describe('a typed endpoint', () => {
  it('needs a whole http address, a model and a name', () => {
    expect(targetErrors(typed)).toEqual({});
    expect(Object.keys(targetErrors(emptyTarget('')))).toEqual(['url', 'model', 'label']);
    expect(targetErrors({ ...typed, url: 'ftp://a.example' }).url).toContain('http://');
    expect(targetErrors({ ...typed, url: 'api.example.com' }).url).toContain('whole address');
  });

  it('refuses a key inside the address', () => {
    expect(targetErrors({ ...typed, url: 'https://user:key@a.example' }).url).toContain('own field');
  });

  it('is sent as a base address, without what was pasted after it', () => {
    expect(toTarget(typed)).toEqual({ label: 'prod', url: 'https://api.example.com/v1', model: 'm', apiKey: null });
    expect(toTarget({ ...typed, url: 'http://h:1/v1/chat/completions' }).url).toBe('http://h:1/v1');
    expect(toTarget({ ...typed, url: 'http://h:1/v1/completions/' }).url).toBe('http://h:1/v1');
    expect(toTarget({ ...typed, apiKey: ' k ' }).apiKey).toBe('k');
  });
});

describe('presets', () => {
  it('have ids of their own and say how long they take at least', () => {
    expect(new Set(PRESETS.map((p) => p.id)).size).toBe(PRESETS.length);
    const [chat] = PRESETS;
    expect(chat && leastSeconds(chat, 1, 3)).toBe(75);
    expect(chat && leastSeconds(chat, 2, 3)).toBe(150);
  });
});
