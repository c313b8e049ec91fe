import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeInput } from '@/server/api/translate-error';

describe('bad input in words', () => {
  it('names each field and its fault', () => {
    const parsed = z
      .object({ id: z.uuid(), page: z.object({ limit: z.number() }) })
      .safeParse({ id: 'x', page: { limit: 'y' } });
    expect(parsed.success).toBe(false);
    if (!parsed.success)
      expect(describeInput(parsed.error)).toMatch(/^id: Invalid UUID; page\.limit: .*expected number/);
  });
});
