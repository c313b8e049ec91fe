import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagTableOf } from '@/server/core/engines/find-flag-spelling';
import { ENGINES } from '@/server/core/engines/index';
import { type FlagWords, splitFlags } from '@/server/core/engines/split-flags';
import { DIALECTS } from '@/server/core/importers/dialects/index';
import { importText } from '@/server/core/importers/import-text';
import { detect } from '@/server/core/importers/index';
import { compileDocument } from '@/test/fixtures/pipelines';

const FOLDER = join(import.meta.dirname, '../../../fixtures/import');
const cases = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part): [string, string] => {
      const end = part.indexOf('\n');
      return [`${file}: ${part.slice(0, end)}`, part.slice(end + 1)];
    }),
);

/** Secrets that stand in the texts; none may come out again. */
const SECRETS = [
  'hf_0123456789abcdefghijABCD',
  'hf_abcdefghijklmnopqrstuvwxyz01',
  'not-a-real-key-1',
  'token-of-my-house',
  'house-key-without-shape',
];

interface Launched {
  flags: FlagWords[];
  /** Names of everything that is launched, entries of a configuration file too; one of several names that mean one thing. */
  names: Set<string>;
  /** Everything that the import says: findings and the unmapped tray. */
  said: string[];
}

const SAME = DIALECTS.flatMap(({ sameNames = [] }) => sameNames);
const sameName = (name: string): string => SAME.find((names) => names.includes(name))?.[0] ?? name;
/** Where the engine's file is, a plan says itself. */
const FILES = DIALECTS.flatMap(({ configFlags }) => configFlags);

/** A flag is in an argument of the plan, or the import names it. */
function expectKept(flag: FlagWords, { names, said }: Launched, hasKey: boolean): void {
  const { written, name } = flag;
  const isLaunched = names.has(sameName(name ?? written));
  const isNode = (name === '--api-key' && hasKey) || name === 'model' || name === '--hf-repo';
  const isSaid = said.some((line) => line.includes(written));
  expect(isLaunched || isNode || isSaid, `${written} is lost`).toBe(true);
}

/** What a node holds comes back as it was; numbers that were rounded or written short are named in a finding. */
function expectSameValue(flag: FlagWords, { flags, said }: Launched): void {
  const { value, written, name, fact } = flag;
  const again = flags.filter((arg) => arg.name !== null && arg.name === name && name !== 'model');
  if (FILES.includes(name ?? '') || again.length !== 1 || value === null || said.some((line) => line.includes(value)))
    return;
  const got = again[0]?.value ?? '';
  if (fact?.risk === 'secret') expect(got).toMatch(/^\$INFERLOOM_SECRET_/);
  else if (value.trim().startsWith('{')) expect(JSON.parse(got)).toEqual(JSON.parse(value));
  else if (flag.spelling?.path === null) {
    const same = got === value || (value.trim() !== '' && Number(got) === Number(value));
    if (!same) expect([value.toLowerCase(), value.split('/').pop()]).toContain(got);
  } else expect(got, written).toContain(value);
}

function planned(text: string) {
  const imported = importText(text);
  const { plans, findings } = compileDocument(imported.pipeline);
  const plan = plans.find((p) => p.deploymentNodeId !== null);
  if (plan === undefined) throw new Error(`no plan: ${JSON.stringify(findings.filter((f) => f.severity === 'error'))}`);
  return { imported, plan };
}

/** The flags as the importer was given them, and the table that names them. */
function given(text: string) {
  const [invocation] = detect(text)?.read(text).invocations ?? [];
  const engine = ENGINES.find(({ id }) => id === invocation?.engine);
  const table = engine === undefined ? null : flagTableOf(engine, invocation?.runtime ?? null);
  if (invocation === undefined || table === null) throw new Error('no start of an engine');
  return { table, flags: splitFlags(table, invocation.words).filter((flag) => flag.spelling !== null) };
}

describe('command lines and manifests as people write them', () => {
  it('are at least a hundred and ten, of every engine', () => {
    expect(cases.length).toBeGreaterThanOrEqual(110);
    const engines = new Set(cases.map(([, text]) => detect(text)?.read(text).invocations[0]?.engine));
    expect([...engines].sort()).toEqual(DIALECTS.map(({ engine }) => engine).sort());
  });

  it.each(cases)('lose no flag and no value: %s', (_, text) => {
    const { imported, plan } = planned(text);
    const { table, flags } = given(text);
    const words = plan.components[0]?.args.flatMap((arg) => (arg.value === null ? [arg.flag] : [arg.flag, arg.value]));
    const launched: Launched = {
      flags: splitFlags(table, words ?? []),
      names: new Set(),
      said: [
        ...imported.findings.map((f) => f.message),
        ...imported.unmapped.flatMap(({ flag, value }) => [flag, value ?? '']),
      ],
    };
    for (const arg of launched.flags) launched.names.add(sameName(arg.name ?? arg.written));
    for (const entry of plan.components[0]?.config ?? []) launched.names.add(sameName(entry.path));
    for (const flag of flags) {
      expectKept(flag, launched, plan.settings.apiKeySecret !== undefined);
      expectSameValue(flag, launched);
    }
    for (const { flag } of imported.unmapped.filter((entry) => entry.node === 'engine')) {
      const everyName = [
        ...launched.flags.map((arg) => arg.written),
        ...(plan.components[0]?.config ?? []).map((e) => e.path),
      ];
      expect(everyName).toContain(flag);
    }
    const everything = JSON.stringify([imported, plan]);
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
  });
});
