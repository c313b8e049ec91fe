import { readWeightFormat } from '../engines/weight-format';
import type { Checkpoint } from '../plan/plan';
import { type Scope, SETTING_NAMES } from '../plan/settings';
import type { ModelIntent } from './model-intent';
import type { Reading } from './reading';
import { type Literal, matches } from './recover/literal';
import { type Key, keyOf, type Site, tryLowering, type Values } from './recover/lowering-trial';
import { choicesOf } from './recover/probe-values';
import { techniquesFrom } from './weights-techniques';

/** The checkpoint that an engine was told to load, as a lowering asks for it. */
export function checkpointFor(
  intent: ModelIntent,
  scope: Scope,
  source: Checkpoint['source'] = 'checkpoint',
  format = intent.format,
): Checkpoint {
  const { params, name, revision } = intent;
  const made = source === 'recipe' || intent.technique?.params.source === 'recipe';
  return {
    scope,
    model: String(params.model),
    repo: name,
    revision: typeof params.revision === 'string' ? revision : null,
    format,
    source: made ? 'recipe' : source,
    recipe: null,
    fileName: name,
    nodeId: null,
  };
}

/** Marks that the lowering of the weights writes beside the model's name. */
function marksOf(site: Site, format: string, checkpoint: Checkpoint): { literals: Literal[] } | null {
  const at = { ...site, checkpoint: (scope: Scope) => (scope === 'target' ? checkpoint : site.checkpoint(scope)) };
  const { literals } = tryLowering(at, 'weightsFormat', format, site.told);
  if (literals === null) return null;
  const own = literals.filter(({ name, kind }) => kind !== 'arg' || name.startsWith('-'));
  return { literals: own.filter(({ value }) => value !== checkpoint.repo && value !== checkpoint.fileName) };
}

/** A checkpoint that is quantized already is never quantized once more. */
const isQuantized = (format: string): boolean => readWeightFormat(format).scheme !== null;

/** Quantization that the engine is told to do at load; null where it is told nothing of the kind. */
function onlineTechnique(
  site: Site,
  intent: ModelIntent,
): { technique: ModelIntent['technique']; format: string } | null {
  if (intent.technique !== null || intent.params.path !== undefined || isQuantized(intent.format)) return null;
  const plain = marksOf(site, intent.format, checkpointFor(intent, 'target'))?.literals ?? [];
  for (const { type, params, format } of techniquesFrom('online')) {
    const found = marksOf(site, format, checkpointFor(intent, 'target', 'online', format))?.literals ?? [];
    const added = found.filter(
      ({ name, value }) => !plain.some((other) => other.name === name && other.value === value),
    );
    const isSaid = added.every((literal) => site.marks.some((mark) => matches(literal, mark, site.same)));
    if (added.length > 0 && isSaid) return { technique: { type: type.type, params }, format };
  }
  return null;
}

/** The target's weights with what the engine makes of them while it loads. */
export function readWeights(site: Site, intent: ModelIntent): { intent: ModelIntent; source: Checkpoint['source'] } {
  const online = onlineTechnique(site, intent);
  return online === null ? { intent, source: 'checkpoint' } : { intent: { ...intent, ...online }, source: 'online' };
}

/** How many of the weights' own arguments come out as they are given. */
function agreement(site: Site, format: string, values: Values): number {
  const { literals } = tryLowering(site, 'weightsFormat', format, values);
  return (literals ?? []).filter((literal) => site.marks.some((mark) => matches(literal, mark, site.same))).length;
}

/** Settings that stand inside the weights' arguments, as in a builder's command: the one value that fits them better than none. */
export function readInsideWeights(site: Site, format: string): [Key, unknown][] {
  const least = agreement(site, format, new Map());
  return SETTING_NAMES.flatMap((name): [Key, unknown][] => {
    const inside = (choicesOf(name) ?? []).filter((value) => {
      const alone = new Map([[name, value]]);
      return (
        tryLowering(site, name, value, alone).carriedBy === 'weightsFormat' && agreement(site, format, alone) > least
      );
    });
    return inside.length === 1 ? [[name, inside[0]]] : [];
  });
}

/**
 * Takes the marks that the weights of a scope lower to, beside the settings that were found. One that says something
 * else can be no raw argument: it would stand there twice.
 */
export function takeWeights(
  site: Site,
  scope: 'target' | 'draft',
  format: string,
  values: Values,
  reading: Reading,
): void {
  const { literals } = tryLowering(site, keyOf('weightsFormat', scope), format, values);
  const marks = (literals ?? []).flatMap(
    (literal) => reading.marks().findLast((mark) => matches(literal, mark, site.same)) ?? [],
  );
  reading.takeMarks([...new Set(marks)]);
  for (const literal of literals ?? []) {
    if (literal.kind !== 'arg' || !literal.name.startsWith('-')) continue;
    const message = `the model's node makes it ${literal.value ?? literal.name}.`;
    reading.drop(literal.name, 'weights-argument-differs', message);
  }
}
