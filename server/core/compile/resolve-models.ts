import type { ModelFacts } from '../facts/model-facts';
import { findModel, MODELS, nearestModels } from '../facts/models';
import { completeOwnModel, ownModelSchema } from '../facts/own-model';
import type { Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Scope } from '../plan/settings';
import type { ArmModel } from '../rules/rule';

/** A model node in one scope: what the facts say and where its file comes from. */
export interface ResolvedModel extends ArmModel {
  scope: Scope;
  repo: string;
  revision: string | null;
  /** File or folder on the worker in place of the repository. */
  path: string | null;
  /** Formats that exist without a conversion, best first. */
  formats: readonly string[];
}

const GGUF_TYPE = /(?:^|[.\-_])((?:IQ|Q)\d[A-Z0-9_]*|BF16|F16|F32)\.gguf$/i;

/** Format of a file on a worker, as far as its name tells. */
function formatOfPath(path: string): string {
  if (!path.toLowerCase().endsWith('.gguf')) return 'safetensors:unknown';
  return `gguf:${GGUF_TYPE.exec(path)?.[1]?.toUpperCase() ?? 'unknown'}`;
}

function missingFacts(participant: Participant, name: string): Finding[] {
  const where = { nodeId: participant.node.id, field: 'model' };
  const { path } = participant.params;
  if (path === null && !name.includes('/')) {
    const near = nearestModels(name);
    const hint = near.length > 0 ? ` Near: ${near.join(', ')}.` : '';
    const message = `"${name}" is no known model.${hint} Choose one of the ${MODELS.length} in the table, or name a repository (owner/name) or a file.`;
    const [value] = near;
    const edits = [{ op: 'set-param' as const, nodeId: participant.node.id, field: 'model', value }];
    const fix = value === undefined ? null : { label: `Use ${value}`, edits };
    return [finding('error', 'model-unknown', message, { ...where, fix })];
  }
  const message = `not checked: nothing is known of ${name} (heads, layers, context, tokenizer), so rules over them are skipped.`;
  return [finding('info', 'not-checked', message, where)];
}

/** Facts that the node brings itself; null where it has none. */
function ownFacts(name: string, given: unknown): ModelFacts | null {
  const own = given === null || given === undefined ? null : ownModelSchema.safeParse(given);
  return own?.success ? completeOwnModel(name, own.data) : null;
}

/** Facts say what a model is, not where it lies. */
function unlocated(participant: Participant, name: string): Finding[] {
  const { path, facts } = participant.params;
  if (!facts || path !== null || name.includes('/') || findModel(name) !== null) return [];
  const message = `Nothing says where ${name} is to be loaded from: name its repository (owner/name) as the model, or a file on the worker.`;
  return [finding('error', 'model-unlocated', message, { nodeId: participant.node.id, field: 'path' })];
}

/** The model of one scope; null with an error where nothing tells what to load. */
export function resolveModel(participant: Participant): { resolved: ResolvedModel | null; findings: Finding[] } {
  const { params, node, scope } = participant;
  const name = String(params.model);
  const facts = ownFacts(name, params.facts) ?? findModel(name);
  const findings = facts ? unlocated(participant, name) : missingFacts(participant, name);
  if (findings.some((f) => f.severity === 'error')) return { resolved: null, findings };
  const path = typeof params.path === 'string' ? params.path : null;
  const revision = typeof params.revision === 'string' ? params.revision : null;
  const formats = path !== null ? [formatOfPath(path)] : (facts?.formats ?? ['safetensors:unknown']);
  const repo = facts?.repo ?? name;
  const resolved = { id: facts?.id ?? name, nodeId: node.id, facts, scope, repo, revision, path, formats };
  return { resolved, findings };
}
