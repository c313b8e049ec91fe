import { readWeightFormat } from '../engines/weight-format';
import type { Checkpoint } from '../plan/plan';
import type { Scope } from '../plan/settings';
import type { Mark } from './mark';
import type { ModelIntent } from './model-intent';
import type { Reading } from './reading';
import { type Literal, matches } from './recover/literal';
import { type Site, tryLowering, type Values } from './recover/lowering-trial';
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
function marksOf(site: Site, format: string, checkpoint: Checkpoint): { literals: Literal[]; marks: Mark[] } | null {
  const at = { ...site, checkpoint: (scope: Scope) => (scope === 'target' ? checkpoint : site.checkpoint(scope)) };
  const { literals } = tryLowering(at, 'weightsFormat', format, new Map());
  if (literals === null) return null;
  const own = literals.filter(({ name, kind }) => kind !== 'arg' || name.startsWith('-'));
  const beside = own.filter(({ value }) => value !== checkpoint.repo && value !== checkpoint.fileName);
  const marks = beside.flatMap((literal) => site.marks.findLast((mark) => matches(literal, mark, site.same)) ?? []);
  return { literals: beside, marks };
}

/** A checkpoint that is quantized already is never quantized once more. */
const isQuantized = (format: string): boolean => readWeightFormat(format).scheme !== null;

/** Quantization that the engine is told to do at load; null where it is told nothing of the kind. */
function onlineTechnique(
  site: Site,
  intent: ModelIntent,
): { technique: ModelIntent['technique']; format: string } | null {
  if (intent.technique !== null || intent.params.path !== undefined || isQuantized(intent.format)) return null;
  for (const { type, params, format } of techniquesFrom('online')) {
    const checkpoint = checkpointFor(intent, 'target', 'online', format);
    const plain = marksOf(site, intent.format, checkpointFor(intent, 'target'));
    const found = marksOf(site, format, checkpoint);
    if (found === null || found.literals.length <= (plain?.literals.length ?? 0)) continue;
    if (found.marks.length === found.literals.length) return { technique: { type: type.type, params }, format };
  }
  return null;
}

/** The target's weights with what the engine makes of them; takes the marks that say so. */
export function readWeights(site: Site, intent: ModelIntent, reading: Reading): ModelIntent {
  const online = onlineTechnique(site, intent);
  const read = online === null ? intent : { ...intent, ...online };
  const checkpoint = checkpointFor(read, 'target', online === null ? 'checkpoint' : 'online');
  reading.takeMarks([...new Set(marksOf(site, read.format, checkpoint)?.marks ?? [])]);
  return read;
}

/** Takes the marks that name the draft, once a node holds the speculation. */
export function takeDraft(site: Site, intent: ModelIntent, values: Values, reading: Reading): void {
  const { literals } = tryLowering(site, 'draft.weightsFormat', intent.format, values);
  const marks = (literals ?? []).flatMap(
    (literal) => reading.marks().findLast((mark) => matches(literal, mark, site.same)) ?? [],
  );
  reading.takeMarks([...new Set(marks)]);
}
