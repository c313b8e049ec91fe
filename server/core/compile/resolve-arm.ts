import type { Engine } from '../engines/engine';
import type { Arm, Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Checkpoint } from '../plan/plan';
import type { Policies } from '../plan/policies';
import { METHODS_WITH_DRAFT, SCOPES, type Scope, type SpeculationMethod } from '../plan/settings';
import type { Workload } from '../workload/workload';
import { type AskedSettings, askSettings, WORKLOAD_ORIGIN } from './asked-settings';
import { checkpointOf } from './checkpoints';
import { mergePolicies } from './merge-policies';
import { type ResolvedEngine, resolveEngine } from './resolve-engine';
import { type ResolvedHardware, resolveHardware, UNNAMED_HARDWARE } from './resolve-hardware';
import { type ResolvedModel, resolveModel } from './resolve-models';
import { atStudent, checkStudentOrder, replaceModel } from './students';
import { servedTokens } from './workloads';

/** An arm with its parts looked up: what the lowering starts from. */
export interface ResolvedArm {
  engine: ResolvedEngine;
  hardware: ResolvedHardware;
  models: Partial<Record<Scope, ResolvedModel>>;
  checkpoints: Checkpoint[];
  asked: AskedSettings;
  policies: Policies;
}

const ofType = (arm: Arm, type: string): Participant[] => arm.participants.filter((p) => p.node.type === type);

function resolveModels(arm: Arm): { models: ResolvedArm['models']; findings: Finding[] } {
  const models: ResolvedArm['models'] = {};
  const findings: Finding[] = [];
  for (const participant of ofType(arm, 'model')) {
    const { resolved, findings: found } = resolveModel(replaceModel(participant, arm.participants));
    findings.push(...atStudent(found, participant.scope, arm.participants));
    if (resolved) models[participant.scope] = resolved;
  }
  return { models, findings };
}

/** Weights techniques of one scope, in the order of the chain. */
const weightsTechniques = (arm: Arm, scope: Scope): Participant[] =>
  arm.participants.filter((p) => p.scope === scope && p.type.checkpoint !== undefined);

/** Where a quick fix puts a node: one column to the left, one row below. */
const COLUMN_PX = 240;
const ROW_PX = 120;

/** Heads of a kind among those trained for a model. Repositories say it in their names. */
const HEADS: Partial<Record<SpeculationMethod, RegExp>> = {
  eagle: /eagle(?!-?3)/i,
  eagle3: /eagle-?3/i,
  medusa: /medusa/i,
  'mlp-speculator': /accelerator|speculator/i,
  dflash: /dflash/i,
};

/** What is usual as the draft of a method; undefined: nobody recorded any. */
function usualDraft(method: SpeculationMethod, target: ResolvedModel | undefined): string | undefined {
  if (method === 'draft-model') return target?.facts?.draftModels[0];
  const heads = HEADS[method];
  return heads && target?.facts?.speculators.find((repo) => heads.test(repo));
}

/** Speculation that drafts with weights of its own, without a draft: offers what is usual for the target. */
function checkDraft(arm: Arm, asked: AskedSettings, models: ResolvedArm['models']): Finding[] {
  const speculation = asked.get('speculation');
  if (!speculation || !METHODS_WITH_DRAFT.includes(speculation.value) || models.draft) return [];
  const { nodeId, value: method } = speculation;
  const usual = usualDraft(method, models.target);
  const what = method === 'draft-model' ? 'a draft model' : `${method} heads`;
  const message = `Speculation with ${what} needs the weights of ${method === 'draft-model' ? 'one' : 'them'} at its draft port.`;
  const id = `${nodeId}-model`;
  const beside = arm.participants.find((p) => p.node.id === nodeId)?.node.position;
  const position = beside && { x: beside.x - COLUMN_PX, y: beside.y + ROW_PX };
  const fix: Finding['fix'] = usual
    ? {
        label: `Add ${usual} as the draft`,
        edits: [
          { op: 'add-node', node: { id, type: 'model', params: { model: usual }, ...(position && { position }) } },
          { op: 'add-edge', edge: { from: { node: id, port: 'weights' }, to: { node: nodeId, port: 'draft' } } },
        ],
      }
    : null;
  return [finding('error', 'draft-missing', message, { nodeId, field: 'draft', fix })];
}

function checkpointsOf(arm: Arm, models: ResolvedArm['models'], asked: AskedSettings, engine: Engine) {
  const checkpoints: Checkpoint[] = [];
  const findings: Finding[] = [];
  for (const model of SCOPES.flatMap((scope) => models[scope] ?? [])) {
    const format = asked.get('weightsFormat', model.scope);
    const made = checkpointOf(model, format, weightsTechniques(arm, model.scope), engine);
    findings.push(...made.findings, ...checkStudentOrder(arm, model.scope, format));
    if (!made.checkpoint) continue;
    checkpoints.push(made.checkpoint);
    if (format) continue;
    const { scope, nodeId } = model;
    asked.set({ scope, name: 'weightsFormat', value: made.checkpoint.format, nodeId, field: 'model' });
  }
  return { checkpoints, findings };
}

/** What the workload needs and nobody set: the length that every sequence can reach. */
function askForWorkload(asked: AskedSettings, workloads: readonly Workload[], maxTokens: number | null): void {
  const tokens = servedTokens(workloads, maxTokens);
  if (tokens === null || asked.get('contextTokensPerSequence')) return;
  const origin = { nodeId: WORKLOAD_ORIGIN, field: 'inputTokens' };
  asked.set({ scope: 'target', name: 'contextTokensPerSequence', value: tokens, ...origin });
}

/** Replicas and pools of a server that somebody else started. */
function checkElsewhere({ scaling, disaggregation }: Policies): Finding[] {
  return [scaling, disaggregation].flatMap((policy): Finding[] => {
    const message = 'The server behind the URL runs already: its replicas and pools are not ours to set.';
    return policy === null
      ? []
      : [finding('error', 'policy-unsupported', message, { nodeId: policy.nodeIds[0] ?? null })];
  });
}

export interface Resolution {
  resolved: ResolvedArm | null;
  findings: Finding[];
}

/** Looks up engine, hardware, models and settings of an arm. Null where something is missing or wrong. */
export function resolveArm(arm: Arm, engines: readonly Engine[], workloads: readonly Workload[]): Resolution {
  const [engineNode, hardwareNode] = [ofType(arm, 'engine')[0], ofType(arm, 'hardware')[0]];
  // Unconnected ports have their finding from the topology.
  if (!engineNode) return { resolved: null, findings: [] };
  const engine = resolveEngine(engineNode, engines);
  const hardware = hardwareNode ? resolveHardware(hardwareNode) : null;
  const { models, findings: modelFindings } = resolveModels(arm);
  const { asked, findings: askedFindings } = askSettings(arm.participants);
  const { policies, findings: policyFindings } = mergePolicies(arm.participants);
  const findings = [
    ...engine.findings,
    ...(hardware?.findings ?? []),
    ...modelFindings,
    ...askedFindings,
    ...policyFindings,
  ];
  if (!engine.resolved) return { resolved: null, findings };
  const elsewhere = engine.resolved.endpoint !== null;
  const device = hardware ? hardware.resolved : elsewhere ? UNNAMED_HARDWARE : null;
  if (!device || (!models.target && !elsewhere)) return { resolved: null, findings };
  const shared = { engine: engine.resolved, hardware: device, models, asked, policies };
  if (elsewhere) {
    return finish({ ...shared, checkpoints: [] }, [...findings, ...checkElsewhere(policies)]);
  }
  askForWorkload(asked, workloads, models.target?.facts?.maxTokens ?? null);
  const files = checkpointsOf(arm, models, asked, engine.resolved.engine);
  findings.push(...checkDraft(arm, asked, models), ...files.findings);
  return finish({ ...shared, checkpoints: files.checkpoints }, findings);
}

const finish = (resolved: ResolvedArm, findings: Finding[]): Resolution =>
  findings.some((f) => f.severity === 'error') ? { resolved: null, findings } : { resolved, findings };
