import type { Family, NodeType } from '../catalog/node-type';
import { TECHNIQUES } from '../catalog/techniques/index';
import { ENGINES } from '../engines/index';
import { GENERATIONS, type Generation } from './generations';
import { BaseArms, judgeVariant, type MatrixEngine, refusalOf, type Support, type Verdict } from './judge-variant';
import { type Variant, variantsOf } from './variants';

/** One technique on one engine, over every generation of devices. */
export interface MatrixRow {
  /** Node type. */
  technique: string;
  title: string;
  family: Family;
  engine: string;
  /** Null for an engine with one runtime. */
  runtime: string | null;
  support: Support;
  how: string | null;
  reason: string | null;
  source: string | null;
  /** Generation id → support there. */
  gpus: Record<string, Support>;
  /** Generation id → the verdict in full. */
  cells: Record<string, Verdict>;
}

/**
 * Columns: every engine that is started, llama.cpp by its server. A server that runs already (`endpoint`) has
 * nothing to set, and the embedded engine is llama.cpp in this very process.
 */
export const MATRIX_ENGINES: readonly MatrixEngine[] = ENGINES.filter(({ id }) => id !== 'endpoint').map((engine) => ({
  engine,
  runtime: engine.runtimes.find(({ id }) => id !== 'embedded')?.id ?? null,
}));

export const columnTitle = ({ engine, runtime }: MatrixEngine): string =>
  runtime === null ? engine.title : `${engine.title}, ${runtime}`;

const BEST: readonly Support[] = ['no', 'partly', 'yes'];

/** The best of alternatives: one that works in full ends the search; of equals the first. */
function judgeGroup(group: readonly Variant[], judge: (variant: Variant) => Verdict): Verdict | null {
  let best: Verdict | null = null;
  for (const variant of group) {
    const verdict = judge(variant);
    if (verdict.support === 'yes') return verdict;
    if (best === null || BEST.indexOf(verdict.support) > BEST.indexOf(best.support)) best = verdict;
  }
  return best;
}

/** All variants together: yes where each works, no where none does, else what works and what does not. */
function combine(groups: readonly { label: string | null; verdict: Verdict }[]): Verdict {
  const [first] = groups;
  if (first === undefined) return { support: 'no', how: null, reason: 'it has no parameters to judge', source: null };
  if (groups.length === 1) return first.verdict;
  const working = groups.filter(({ verdict }) => verdict.support !== 'no');
  const failing = groups.filter(({ verdict }) => verdict.support === 'no');
  const how = working.map(({ label, verdict }) => `${label}: ${verdict.how}`).join('; ') || null;
  if (working.length === 0) return { ...first.verdict, how };
  const limit = failing[0] ?? groups.find(({ verdict }) => verdict.support === 'partly');
  if (limit === undefined) return { support: 'yes', how, reason: null, source: null };
  const others =
    failing.length > 1
      ? ` (also refused: ${failing
          .slice(1)
          .map(({ label }) => label)
          .join(', ')})`
      : '';
  const reason = `${limit.label}: ${limit.verdict.reason}${others}`;
  return { support: 'partly', how, reason, source: limit.verdict.source };
}

/** One cell: a technique on an engine on a generation. */
function judgeCell(
  variants: readonly Variant[][],
  column: MatrixEngine,
  generation: Generation,
  bases: BaseArms,
): Verdict {
  return combine(
    variants.flatMap((group) => {
      const verdict = judgeGroup(group, (variant) => judgeVariant(variant, column, generation, bases));
      return verdict ? [{ label: group[0]?.label ?? null, verdict }] : [];
    }),
  );
}

/** Over the generations that the engine runs on. */
function summarize(all: readonly Verdict[]): Verdict {
  const [anywhere] = all.filter(({ support }) => support !== 'no');
  if (anywhere === undefined) return all.at(-1) ?? { support: 'no', how: null, reason: null, source: null };
  const full = all.find(({ support }) => support === 'yes') ?? anywhere;
  if (all.every(({ support }) => support === 'yes')) return full;
  const limit = all.find(({ support }) => support === 'partly') ?? all.find(({ support }) => support === 'no');
  return { support: 'partly', how: full.how, reason: limit?.reason ?? null, source: limit?.source ?? null };
}

/** One engine with the generations that it does not run on, and why. */
interface Column extends MatrixEngine {
  refusals: ReadonlyMap<string, Verdict>;
  bases: BaseArms;
}

function columnOf(engine: MatrixEngine): Column {
  const refusals = GENERATIONS.flatMap((generation): [string, Verdict][] => {
    const refusal = refusalOf(engine, generation);
    return refusal === null ? [] : [[generation.id, refusal]];
  });
  return { ...engine, refusals: new Map(refusals), bases: new BaseArms() };
}

function matrixRow(type: NodeType, column: Column): MatrixRow {
  const variants = variantsOf(type);
  const cells = GENERATIONS.map((generation): [string, Verdict] => {
    const refusal = column.refusals.get(generation.id);
    return [generation.id, refusal ?? judgeCell(variants, column, generation, column.bases)];
  });
  const judged = cells.flatMap(([id, verdict]) => (column.refusals.has(id) ? [] : [verdict]));
  const { title, family } = type;
  return {
    technique: type.type,
    title,
    family,
    engine: column.engine.id,
    runtime: column.runtime,
    ...summarize(judged),
    gpus: Object.fromEntries(cells.map(([id, { support }]) => [id, support])),
    cells: Object.fromEntries(cells),
  };
}

/** Technique × engine × generation, asked of the compiler: there is no second table to keep. */
export function matrixOf(
  engines: readonly MatrixEngine[] = MATRIX_ENGINES,
  techniques: readonly NodeType[] = TECHNIQUES,
): MatrixRow[] {
  const columns = engines.map(columnOf);
  return techniques.flatMap((type) => columns.map((column) => matrixRow(type, column)));
}
