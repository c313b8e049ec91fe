import { describe, expect, it } from 'vitest';
import { createSecretSource, engineEnvironment, MissingSecretError, resolveSecret } from '@/workers/drivers/secrets';

describe('secrets', () => {
  const secrets = createSecretSource(
    { INFERLOOM_SECRET_A: 'claimed' },
    { INFERLOOM_SECRET_A: 'host', INFERLOOM_SECRET_B: 'host-b', DATABASE_URL: 'postgres://x' },
  );

  it("prefers the claim's value and knows only names that start INFERLOOM_SECRET_", () => {
    expect(secrets.get('INFERLOOM_SECRET_A')).toBe('claimed');
    expect(secrets.get('INFERLOOM_SECRET_B')).toBe('host-b');
    expect(secrets.get('DATABASE_URL')).toBeUndefined();
  });

  it('resolves a whole reference, leaves other text, and names the secret that is missing', () => {
    expect(resolveSecret('$INFERLOOM_SECRET_A', secrets)).toBe('claimed');
    expect(resolveSecret('x$INFERLOOM_SECRET_A', secrets)).toBe('x$INFERLOOM_SECRET_A');
    expect(() => resolveSecret('$INFERLOOM_SECRET_C', secrets)).toThrow(MissingSecretError);
  });

  it("gives an engine PATH, HOME, LANG and the plan's own variables, nothing else", () => {
    const host = { PATH: '/bin', HOME: '/root', LANG: 'C', INFERLOOM_TOKEN: 'x', NODE_OPTIONS: '--inspect' };
    expect(engineEnvironment({ LLAMA_API_KEY: '$INFERLOOM_SECRET_A' }, secrets, host)).toEqual({
      PATH: '/bin',
      HOME: '/root',
      LANG: 'C',
      LLAMA_API_KEY: 'claimed',
    });
  });
});
