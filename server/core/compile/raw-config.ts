import { parseDocument } from 'yaml';
import { holdsSecret, isReference, isSecretName } from '../engines/secret-shape';
import { type Finding, finding } from '../plan/finding';
import type { ConfigEntry } from '../plan/plan';
import type { ResolvedEngine } from './resolve-engine';

const FIELD = 'rawConfig';
/** Blocks of a configuration nest a few levels; more is no configuration. */
const MAX_DEPTH = 20;

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

function leaves(value: unknown, path: readonly string[]): [string, unknown][] {
  if (!isBlock(value) || path.length >= MAX_DEPTH) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]));
}

/** One path within the other: both cannot stand in one file. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

function judge(path: string, value: unknown, own: readonly ConfigEntry[], nodeId: string): Finding[] {
  const where = { nodeId, field: FIELD };
  const earlier = own.find((entry) => overlap(entry.path, path));
  if (earlier !== undefined) {
    const by = earlier.nodeId === null ? 'the workload' : `node "${earlier.nodeId}"`;
    const message = `${path} stands in the raw configuration and ${by} sets ${earlier.path} too.`;
    return [finding('error', 'raw-config-clash', message, where)];
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isSecret = isSecretName(path) && typeof value === 'string' && !isReference(value);
  if (!isSecret && !holdsSecret(text)) return [];
  const message = `${path} looks like a secret: name one as $INFERLOOM_SECRET_NAME instead.`;
  return [finding('error', 'raw-config-secret', message, where)];
}

/** Null where aliases multiply beyond reason. */
function readDocument(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    return null;
  }
}

/** Entries of the engine node's raw configuration, beside those that nodes made (`own`). */
export function rawConfigEntries(
  { engine, nodeId, rawConfig }: Pick<ResolvedEngine, 'engine' | 'nodeId' | 'rawConfig'>,
  own: readonly ConfigEntry[],
): { entries: ConfigEntry[]; findings: Finding[] } {
  const fail = (code: string, message: string): { entries: ConfigEntry[]; findings: Finding[] } => ({
    entries: [],
    findings: [finding('error', code, message, { nodeId, field: FIELD })],
  });
  if (rawConfig === null) return { entries: [], findings: [] };
  if (engine.configFile === undefined) return fail('raw-config-unused', `${engine.title} reads no configuration file.`);
  const document = parseDocument(rawConfig, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error) return fail('raw-config-invalid', `The raw configuration is no YAML: ${error.message}`);
  const value = readDocument(document);
  if (!isBlock(value)) return fail('raw-config-invalid', 'The raw configuration must be keys with values.');
  const all = leaves(value, []);
  const entries = all.map(([path, leaf]): ConfigEntry => {
    return { path, value: leaf, setting: null, scope: 'target', nodeId, note: null };
  });
  return { entries, findings: all.flatMap(([path, leaf]) => judge(path, leaf, own, nodeId)) };
}
