import { fileURLToPath } from 'node:url';
import type { Engine } from '@/server/core/engines/engine';
import type { FlagFact } from '@/server/core/engines/flag';
import { compareVersions } from '@/server/core/engines/version';
import { argumentLists, type ModelWords } from './argument-lists';
import { must, pythonWith, unpackWheel, type Verifier } from './verifier';

export interface PythonParser {
  engine: Engine;
  /** `sglang==0.5.18`, as pip takes it. */
  wheel: string;
  /** Script beside this file that builds the parser. */
  script: string;
  /** Packages that the parser's modules cannot do without. */
  packages: readonly string[];
  model: ModelWords;
  /** Flags of our table that the program takes before its parser sees them, with the reason. */
  beforeParser?: Readonly<Record<string, string>>;
}

interface Spelling {
  names: string[];
  choices: string[] | null;
  nargs: number | string | null;
}

const isThere = (fact: FlagFact, version: string): boolean =>
  (fact.since === null || (compareVersions(version, fact.since) ?? 0) >= 0) &&
  (fact.until === null || (compareVersions(version, fact.until) ?? 0) <= 0);

/** What our table says of a flag that the parser does not. */
function compareFlag(fact: FlagFact, known: ReadonlyMap<string, Spelling>, rewritten: readonly string[]): string[] {
  const found = known.get(fact.name);
  if (found === undefined) return [`${fact.name} stands in our table; the parser does not know it`];
  const aliases = fact.aliases
    .filter((name) => !known.has(name) && !rewritten.includes(name))
    .map((name) => `${name}, our alias of ${fact.name}, is unknown`);
  const isSwitch = found.nargs === 0;
  const arity =
    isSwitch === (fact.type === 'boolean')
      ? []
      : [`${fact.name} is ${isSwitch ? 'a switch' : 'no switch'} in the parser`];
  const { choices } = found;
  const values = choices === null ? [] : (fact.values ?? []).filter((value) => !choices.includes(value));
  return [...aliases, ...arity, ...values.map((value) => `${fact.name} does not take ${value}, which our table lists`)];
}

function compareTable({ engine, beforeParser = {} }: PythonParser, spellings: readonly Spelling[]): string[] {
  const known = new Map(spellings.flatMap((one) => one.names.map((name): [string, Spelling] => [name, one])));
  const rewritten = Object.keys(beforeParser);
  const facts = (engine.flags?.flags ?? []).filter((fact) => isThere(fact, engine.versions.pinned));
  return facts
    .filter(({ positional, name }) => !positional && !rewritten.includes(name))
    .flatMap((fact) => compareFlag(fact, known, rewritten));
}

const scriptPath = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** What a script says of each argument list; null: nothing against it. */
export async function askPython(
  python: string,
  script: string,
  unpacked: string,
  lists: readonly string[][],
): Promise<(string | null)[]> {
  if (lists.length === 0) return [];
  const input = lists.map((argv) => `${JSON.stringify(argv)}\n`).join('');
  const answers = (await must(python, [scriptPath(script), unpacked], input)).trim().split('\n');
  if (answers.length !== lists.length) throw new Error(`${answers.length} answers to ${lists.length} questions`);
  return answers.map((line) => JSON.parse(line) as string | null);
}

/** An engine whose parser is Python: every argument list goes through it, and our flag table is compared with it. */
export function pythonParser(parser: PythonParser): Verifier {
  const { engine, wheel, script, packages, model } = parser;
  return {
    id: engine.id,
    title: wheel,
    async verify(folder) {
      const python = await pythonWith(folder, packages);
      const unpacked = await unpackWheel(folder, wheel);
      const spellings = JSON.parse(await must(python, [scriptPath(script), unpacked, '--spellings'])) as Spelling[];
      const ask = (lists: readonly string[][]) => askPython(python, script, unpacked, lists);
      const lists = argumentLists(engine, model);
      const faults = await ask(lists);
      const refused = faults.flatMap((fault, i) => (fault === null ? [] : [`${lists[i]?.join(' ')}: ${fault}`]));
      const removed = (engine.flags?.removed ?? []).map(({ name }) => name);
      const old = await ask(removed.map((name) => [...engine.command(null), ...model, name]));
      const back = removed
        .filter((_, i) => old[i] === null)
        .map((name) => `${name}, which our table calls removed, is accepted`);
      return {
        asked: `${lists.length} argument lists, ${engine.flags?.flags.length} flags against ${spellings.length}`,
        disagreements: [...refused, ...back, ...compareTable(parser, spellings)],
      };
    },
  };
}
