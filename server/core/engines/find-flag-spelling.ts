import { EMBEDDED_FLAGS } from './embedded-flags';
import type { Engine } from './engine';
import { type FlagFact, type FlagTable, findFlag } from './flag';

/** How a word names a flag: as the table spells it, in another accepted spelling, cut short, switched off, or not at all. */
export interface Spelling {
  fact: FlagFact | null;
  how: 'exact' | 'spelling' | 'abbreviated' | 'negated' | 'removed' | 'unknown';
  /** What took the place of a removed flag. */
  now: string | null;
  /** Value behind `=`, or the number behind `-O`; null where it stands in the next word. */
  value: string | null;
  /** Path behind the first dot of `--flag.part.part`; null without one. */
  path: string | null;
}

/** The embedded engine takes a part of llama-server's flags and two of its own. */
function embeddedTable(engine: Engine): FlagTable {
  const known = engine.flags;
  const flags = EMBEDDED_FLAGS.flatMap((flag): FlagFact[] => {
    const fact = known === null ? null : findFlag(known, flag.name);
    const isBare = flag.type === 'flag';
    return [
      {
        name: flag.name,
        aliases: [],
        type: isBare ? 'boolean' : 'string',
        values: null,
        default: flag.default,
        does: flag.does,
        group: 'embedded',
        positional: false,
        env: null,
        since: null,
        until: null,
        risk: fact?.risk ?? 'none',
      },
    ];
  });
  return { engine: engine.id, source: 'engines/embedded-flags', flags, removed: [] };
}

/** Flags that a runtime of an engine parses; null where it takes none. */
export const flagTableOf = (engine: Engine, runtime: string | null): FlagTable | null =>
  runtime === 'embedded' ? embeddedTable(engine) : engine.flags;

/** Engines that parse with Python's argparse, which takes unique beginnings. Others use click, clap or a parser of their own. */
const ARGPARSE: readonly string[] = ['vllm', 'sglang', 'lmdeploy', 'onnxruntime-genai'];

const NUMBERED = /^(-O)(\d+)$/;

function byPrefix(table: FlagTable, name: string): FlagFact | null {
  if (!name.startsWith('--') || name.length < 4) return null;
  const found = table.flags.filter((flag) => [flag.name, ...flag.aliases].some((known) => known.startsWith(name)));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `--no-x` of a switch that the table lists as `--x`. */
function byNegation(table: FlagTable, name: string): FlagFact | null {
  const positive = name.startsWith('--no-') ? findFlag(table, `--${name.slice(5)}`) : null;
  return positive?.type === 'boolean' ? positive : null;
}

/** An alias that switches the flag off, `--no-mmap` or `-nocb`. */
export const isOffSpelling = (fact: FlagFact, name: string): boolean =>
  fact.type === 'boolean' && name !== fact.name && /^--?no?[-a-z]/.test(name) && !fact.name.startsWith('--no');

/**
 * The flag that a word means. Beside the table's spellings: underscores, `--flag=value`, `--flag.part`, `-O3`, and,
 * for engines whose parser is argparse, unique beginnings and `--no-` before a switch.
 */
export function findSpelling(table: FlagTable, word: string): Spelling {
  const numbered = NUMBERED.exec(word);
  const equals = word.indexOf('=');
  const written = numbered?.[1] ?? (equals < 0 ? word : word.slice(0, equals));
  const value = numbered?.[2] ?? (equals < 0 ? null : word.slice(equals + 1));
  const dot = written.indexOf('.');
  const path = dot < 0 ? null : written.slice(dot + 1);
  const own = dot < 0 ? written : written.slice(0, dot);
  const result = (fact: FlagFact | null, how: Spelling['how'], now: string | null = null): Spelling => {
    return { fact, how, now, value, path };
  };
  const exact = findFlag(table, own);
  if (exact !== null) return result(exact, isOffSpelling(exact, own) ? 'negated' : 'exact');
  const dashed = own.startsWith('--') ? own.replaceAll('_', '-') : own;
  const spelled = findFlag(table, dashed);
  if (spelled !== null) return result(spelled, isOffSpelling(spelled, dashed) ? 'negated' : 'spelling');
  const removed = table.removed.find((flag) => flag.name === dashed);
  if (removed !== undefined) return result(null, 'removed', removed.now);
  if (!ARGPARSE.includes(table.engine)) return result(null, 'unknown');
  const negated = byNegation(table, dashed);
  if (negated !== null) return result(negated, 'negated');
  const short = byPrefix(table, dashed);
  return short === null ? result(null, 'unknown') : result(short, 'abbreviated');
}
