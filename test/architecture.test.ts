import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The shape of the project that no other tool checks: registries are complete, ids unique, files short, top level fixed. */
const ROOT = join(__dirname, '..');
const SOURCES = ['app', 'server', 'workers', 'prisma', 'test'];
const MAX_LINES = 300;

/** Tables of facts: data, not logic. A file may be long only if it stands here. */
const DATA_TABLES: readonly RegExp[] = [
  /^server\/core\/facts\//,
  /^server\/core\/engines\/flags\//,
  /^prisma\/migrations\//,
];

const TOP_LEVEL =
  /^(package(-lock)?\.json|tsconfig\.json|app|server|prisma|workers|test|next\.config\.js|README\.md|LICENSE|\..*|node_modules|next-env\.d\.ts|tsconfig\.tsbuildinfo|test-results)$/;

function* sourceFiles(dir: string): Generator<string> {
  for (const name of readdirSync(dir)) {
    if (name === 'generated' || name === 'node_modules') continue;
    const full = join(dir, name);
    if (statSync(full).isDirectory()) yield* sourceFiles(full);
    else if (/\.(ts|tsx|mjs)$/.test(name)) yield full;
  }
}
const all = SOURCES.flatMap((dir) => [...sourceFiles(join(ROOT, dir))]).map((file) => relative(ROOT, file));
const lines = (file: string): number => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;

/** Folders whose `index.ts` is a literal array of every sibling file. */
const REGISTRIES: readonly { dir: string; also?: RegExp }[] = [
  { dir: 'server/core/catalog/sources' },
  { dir: 'server/core/catalog/techniques' },
  { dir: 'server/core/engines' },
  { dir: 'server/core/rules' },
  { dir: 'server/core/exporters' },
  { dir: 'server/core/importers' },
  { dir: 'server/core/importers/dialects' },
  { dir: 'app/_charts/specs' },
  { dir: 'workers/cli' },
];

describe('the tree', () => {
  it('has nothing else at the top', () => {
    expect(readdirSync(ROOT).filter((name) => !TOP_LEVEL.test(name))).toEqual([]);
  });

  it('keeps files under 300 lines and their median under 100', () => {
    const code = all.filter((file) => !DATA_TABLES.some((table) => table.test(file)));
    expect(code.filter((file) => lines(file) > MAX_LINES)).toEqual([]);
    const sizes = code.map(lines).sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(100);
  });

  it('leaves no unfinished mark behind', () => {
    const mark = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
    expect(all.filter((file) => mark.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});

describe.each(REGISTRIES)('registry $dir', ({ dir }) => {
  const index = readFileSync(join(ROOT, dir, 'index.ts'), 'utf8');
  const registered = [...index.matchAll(/from '\.\/([\w-]+)'/g)].map((match) => match[1] ?? '');

  it('imports only siblings and lists each once', () => {
    expect(registered.length).toBeGreaterThan(0);
    expect(new Set(registered).size).toBe(registered.length);
  });

  it('misses no sibling that is a variant', () => {
    const siblings = readdirSync(join(ROOT, dir))
      .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
      .map((name) => name.replace(/\.ts$/, ''))
      .filter((name) =>
        /export const \w+: (NodeType|Engine|Rule|Exporter|Importer|Dialect|ChartSpec|Verb) =/.test(
          readFileSync(join(ROOT, dir, `${name}.ts`), 'utf8'),
        ),
      );
    expect(siblings.filter((name) => !registered.includes(name))).toEqual([]);
    expect(siblings.length).toBeGreaterThan(0);
  });
});
