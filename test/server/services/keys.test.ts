import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deriveKey, seal, unseal } from '@/server/services/keys';
import { secretNames } from '@/server/services/secrets';
import { hashToken, newToken } from '@/server/services/token-secret';
import { plan } from '@/test/fixtures/experiment';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-keys-'));
  vi.stubEnv('INFERLOOM_DATA_DIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('seal', () => {
  it('opens what it closed, in its own context only', () => {
    const sealed = seal('a value – ünïcode', 'team/NAME');
    expect(unseal(sealed, 'team/NAME')).toBe('a value – ünïcode');
    expect(() => unseal(sealed, 'other/NAME')).toThrow();
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('a value');
    expect(Buffer.from(seal('a value – ünïcode', 'team/NAME')).equals(Buffer.from(sealed))).toBe(false);
  });

  it('refuses a changed row and another key file', () => {
    const sealed = seal('value', 'c');
    const changed = Uint8Array.from(sealed);
    changed[14] = (changed[14] ?? 0) ^ 1;
    expect(() => unseal(changed, 'c')).toThrow();
    const other = mkdtempSync(join(tmpdir(), 'inferloom-keys-'));
    vi.stubEnv('INFERLOOM_DATA_DIR', other);
    expect(() => unseal(sealed, 'c')).toThrow();
    rmSync(other, { recursive: true, force: true });
  });

  it('keeps its key in a file that nobody else can read, and derives one a purpose', () => {
    expect(deriveKey('a').equals(deriveKey('b'))).toBe(false);
    const file = join(folder, 'server.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toHaveLength(43);
  });

  it('says so when the key file holds something else', () => {
    writeFileSync(join(folder, 'server.key'), 'short');
    expect(() => deriveKey('a')).toThrow(/does not hold a key/);
  });
});

describe('tokens', () => {
  it('differ, name their kind, and are stored as a hash', () => {
    const [a, b] = [newToken('worker'), newToken('worker')];
    expect(a.token).not.toBe(b.token);
    expect(a.token.startsWith('inf_w_')).toBe(true);
    expect(newToken('api_key').token.startsWith('inf_k_')).toBe(true);
    expect(a.hash).toBe(hashToken(a.token));
    expect(a.token.startsWith(a.prefix)).toBe(true);
    expect(a.prefix.length).toBeLessThan(14);
  });
});

it('secretNames finds the references of plans wherever they stand, once each', () => {
  const settings = {
    apiKeySecret: { asked: 'INFERLOOM_SECRET_A', default: null, defaultSource: null, origin: 'n', field: null },
  };
  const [component] = plan().components;
  if (!component) throw new Error('no component');
  const env = { KEY: '$INFERLOOM_SECRET_B', AGAIN: '$INFERLOOM_SECRET_A' };
  expect(secretNames([plan({ settings, components: [{ ...component, env }] })])).toEqual([
    'INFERLOOM_SECRET_A',
    'INFERLOOM_SECRET_B',
  ]);
});
