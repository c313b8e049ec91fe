import type { Engine } from '../engines/engine';
import { flagTableOf } from '../engines/find-flag-spelling';
import type { FlagTable } from '../engines/flag';
import { ENGINES } from '../engines/index';
import { splitFlags } from '../engines/split-flags';
import { findModel } from '../facts/models';
import type { Pipeline } from '../pipeline/document';
import { type Finding, finding } from '../plan/finding';
import type { Checkpoint } from '../plan/plan';
import type { Scope } from '../plan/settings';
import { buildGraph } from './build-graph';
import type { Dialect } from './dialects/dialect';
import { DIALECTS } from './dialects/index';
import { guessHardware, type HardwareIntent } from './guess-hardware';
import type { Head, Invocation, Unmapped } from './importer';
import { requestMark } from './mark';
import { readConfigFile } from './read-config-file';
import { flagsOfEnvironment, reportEnvironment } from './read-environment';
import { namesIn } from './read-head';
import { type Models, readModels, takeDraftFile } from './read-models';
import { checkpointFor, readInsideWeights, readWeights, takeWeights } from './read-weights';
import { Reading } from './reading';
import { type Key, type Site, tryLowering } from './recover/lowering-trial';
import { recoverNodes } from './recover-nodes';

/** Arguments that whoever launches sets: agent, script, manifest. Not part of the graph. */
function dropLauncherFlags(reading: Reading, { launcher, added }: Dialect, head: Head | null): void {
  const isAdded = head !== null && !head.named.has('metricsEndpoint');
  for (const name of [...launcher, ...(isAdded ? added : [])]) {
    const flag = reading.take(name);
    if (flag === null) continue;
    const message = `${flag.words.join(' ')} is not kept: whatever starts the engine sets it.`;
    reading.say('info', 'set-by-launcher', message);
  }
}

function readKey(reading: Reading, { keyFlags }: Dialect): [Key, unknown][] {
  for (const name of keyFlags) {
    const flag = reading.take(name);
    if (flag?.value) return [['apiKeySecret', reading.secret(flag.value, flag.written)]];
  }
  return [];
}

function engineParams(
  { engine, runtime, version, head }: Invocation,
  { versions }: Engine,
  reading: Reading,
): Record<string, unknown> {
  const named = head?.version ?? version;
  const rawArgs = reading.rawArguments();
  const rawConfig = reading.rawConfig();
  return {
    engine,
    ...(runtime === null ? {} : { runtime }),
    ...(named === null || named === versions.pinned || runtime === 'embedded' ? {} : { version: named }),
    ...(rawArgs === null ? {} : { rawArgs }),
    ...(rawConfig === null ? {} : { rawConfig }),
  };
}

/** A length that is none: in a plan that of the workload takes its place, and the two would clash. */
function dropContext(reading: Reading, site: Site): void {
  const { literals } = tryLowering(site, 'contextTokensPerSequence', 4096, new Map(), true);
  for (const { name } of literals ?? []) {
    const message = "it is no fixed length; set a context node, else the workload's length applies.";
    reading.drop(name, 'context-not-kept', message);
  }
}

function sayMissing(reading: Reading, models: Models, hardware: HardwareIntent, hasContext: boolean): void {
  if (models.target === null)
    reading.say('error', 'model-not-named', 'The command names no model: connect one.', 'deployment');
  if (!hasContext && !reading.findings.some((f) => f.code === 'context-not-kept')) {
    const message = "The command sets no context length: in a plan that of the workload applies, not the model's.";
    reading.say('info', 'context-by-workload', message, 'workload');
  }
  if (!hardware.isNamed) {
    const message = `The text does not say which device: ${hardware.device} was put; choose yours.`;
    reading.say('warning', 'hardware-assumed', message, 'hardware');
  }
}

export interface ImportedInvocation {
  pipeline: Pipeline;
  findings: Finding[];
  unmapped: Unmapped[];
}

interface Known {
  engine: Engine;
  dialect: Dialect;
  table: FlagTable;
}

function knownEngine({ engine: id, runtime }: Invocation): Known | null {
  const engine = ENGINES.find((known) => known.id === id);
  const dialect = DIALECTS.find((known) => known.engine === id);
  const table = engine === undefined ? null : flagTableOf(engine, runtime);
  return engine === undefined || dialect === undefined || table === null ? null : { engine, dialect, table };
}

function readStart(invocation: Invocation, { engine, dialect, table }: Known): Reading {
  const { words, others } = flagsOfEnvironment(invocation.env, table, dialect);
  const args = splitFlags(table, [...words, ...invocation.words]).map((flag) => ({ ...flag, kind: 'arg' as const }));
  const requests = Object.entries(invocation.head?.request ?? {}).map(([field, value]) => requestMark(field, value));
  const reading = new Reading([...args, ...others, ...requests]);
  reading.judgeSpellings(`${engine.title} ${engine.versions.pinned}`);
  readConfigFile(reading, dialect, invocation, table);
  return reading;
}

/** Settings that the comments of a configuration file name, behind its values or above them. */
const namesInFiles = (files: Invocation['files']): string[] =>
  [...files.values()].flatMap((content) =>
    [...content.matchAll(/(?:^|\s)# (.*)$/gm)].flatMap(([, comment = '']) => namesIn(comment)),
  );

/** Told values that write nothing hold as they are; those that write something are looked for among the marks. */
function silentValues(site: Site, formats: readonly (readonly [Key, unknown])[]): [Key, unknown][] {
  const all = new Map([...formats, ...site.told]);
  return [...site.told].filter(([key, value]) => tryLowering(site, key, value, all).literals?.length === 0);
}

/** What holds before any mark is read: weights, what the head of our own files says, and the key. */
function fixedValues(
  site: Site,
  models: Models,
  head: Head | null,
  key: readonly (readonly [Key, unknown])[],
): Map<Key, unknown> {
  const formats = Object.entries(models).flatMap(([scope, intent]): [Key, unknown][] =>
    intent === null ? [] : [[scope === 'target' ? 'weightsFormat' : `${scope}.weightsFormat`, intent.format]],
  );
  const inside = models.target === null || head !== null ? [] : readInsideWeights(site, models.target.format);
  const said = [...Object.entries(head?.implicit ?? {}), ...silentValues(site, formats), ...inside];
  return new Map<Key, unknown>([...formats, ...said, ...key]);
}

function siteOf(
  known: Known,
  invocation: Invocation,
  models: Models,
  hardware: HardwareIntent,
  reading: Reading,
  source: Checkpoint['source'] = 'checkpoint',
): Site {
  const { engine, table } = known;
  const { runtime, version, head } = invocation;
  const facts = models.target === null ? null : findModel(String(models.target.params.model));
  const modelMaxTokens = facts?.maxTokens ?? null;
  return {
    engine,
    table,
    runtime,
    version: head?.version ?? version ?? engine.versions.pinned,
    hardware: { kind: hardware.kind, id: hardware.device, count: hardware.count },
    checkpoint: (scope: Scope) => {
      const intent = scope === 'target' ? models.target : scope === 'draft' ? models.draft : null;
      if (intent === null) return null;
      return scope === 'target' ? checkpointFor(intent, scope, source) : checkpointFor(intent, scope);
    },
    defaults: engine.defaults({ runtime, modelMaxTokens }),
    marks: reading.marks(),
    knowsRequests: head !== null,
    budget: { left: MAX_LOWERINGS },
    told: new Map(Object.entries(head?.told ?? {})),
    named: head === null ? null : new Set([...head.named, ...namesInFiles(invocation.files)]),
    same: new Map(known.dialect.sameNames?.flatMap(([first = '', ...others]) => others.map((name) => [name, first]))),
  };
}

/** What a start of an engine takes is a tenth of it; a second at most. */
const MAX_LOWERINGS = 150_000;

/** A start has a few dozen words; far more are no command, and the engine node could not keep them. */
const MAX_WORDS = 1000;
const MAX_CHARACTERS = 20_000;

function tooLong({ words, env }: Invocation): string | null {
  const all = [...words, ...Object.values(env)];
  const characters = all.reduce((sum, word) => sum + word.length, 0);
  return all.length <= MAX_WORDS && characters <= MAX_CHARACTERS
    ? null
    : `The command has ${all.length} words of ${characters} characters; at most ${MAX_WORDS} of ${MAX_CHARACTERS} are read.`;
}

const nothing = (code: string, message: string): ImportedInvocation => ({
  pipeline: { version: 1, nodes: [], edges: [] },
  findings: [finding('error', code, message)],
  unmapped: [],
});

/** One engine start as a graph. Every flag and variable ends in a node, in the raw arguments or in a finding. */
export function importInvocation(invocation: Invocation): ImportedInvocation {
  const known = knownEngine(invocation);
  if (known === null) {
    const message = `Nothing is known of the engine ${invocation.engine} in this version: it cannot be imported.`;
    return nothing('engine-not-known', message);
  }
  const length = tooLong(invocation);
  if (length !== null) return nothing('command-too-long', length);
  const { dialect } = known;
  const reading = readStart(invocation, known);
  const hardware = guessHardware(reading, dialect, invocation);
  dropLauncherFlags(reading, dialect, invocation.head);
  const key = readKey(reading, dialect);
  dialect.read?.(reading, invocation);
  const named = readModels(reading, dialect, invocation);
  const site = siteOf(known, invocation, named, hardware, reading);
  const weights = named.target === null ? null : readWeights(site, named.target);
  const models: Models = { ...named, target: weights?.intent ?? null };
  const found = siteOf(known, invocation, models, hardware, reading, weights?.source);
  const fixed = fixedValues(found, models, invocation.head, key);
  const recovered = recoverNodes(found, fixed);
  reading.takeMarks(recovered.marks);
  if (found.budget.left < 0) {
    reading.say(
      'warning',
      'reading-stopped',
      'The command allows too many readings: what has no node yet is kept as it is.',
    );
  }
  if (models.target !== null) takeWeights(found, 'target', models.target.format, recovered.values, reading);
  const takesDraft = recovered.target.some(({ type }) => type.inputs.some((port) => port.scope === 'draft'));
  if (takesDraft && models.draft !== null) {
    takeWeights(found, 'draft', models.draft.format, recovered.values, reading);
    takeDraftFile(reading);
  }
  const hasContext = recovered.target.some(({ settings }) => settings.includes('contextTokensPerSequence'));
  if (!hasContext) dropContext(reading, site);
  for (const sentence of invocation.notKept) reading.say('info', 'surroundings-not-kept', sentence);
  reportEnvironment(reading);
  for (const mark of reading.rest('request')) {
    reading.say('warning', 'request-not-kept', `The requests' ${mark.words.join('')} has no place in the graph.`);
  }
  const engine = engineParams(invocation, known.engine, reading);
  sayMissing(reading, models, hardware, hasContext);
  const parts = { ...models, draft: takesDraft ? models.draft : null, techniques: recovered };
  return {
    pipeline: buildGraph({ parts, engine, hardware, scaling: invocation.scaling, name: null }),
    findings: reading.findings,
    unmapped: reading.unmapped,
  };
}
