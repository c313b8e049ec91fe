import { findNodeType } from '../catalog/find-node-type';
import { type ValidatedParams, validateParams } from '../catalog/validate-params';
import { type ActiveGraph, activeGraph, participants } from '../pipeline/bypass';
import type { Pipeline, PipelineNode } from '../pipeline/document';
import { type Arm, expandDeployment } from '../pipeline/expand';
import { checkTopology } from '../pipeline/topology';
import { hashOf } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import { chooseBaseline } from './baseline';
import type { Compiled, CompileOptions } from './compiled';
import { protocolOf } from './protocol';
import { compileWorkloads } from './workloads';

/** Limits of one document: plans of an experiment, nodes of a pipeline. */
export const MAX_PLANS = 64;
export const MAX_NODES = 2000;

const isError = (f: Finding): boolean => f.severity === 'error';

/** Parameters of every node of a known type that is not bypassed. A fault in a node that takes no part is a warning. */
function validateNodes(
  graph: ActiveGraph,
  active: ReadonlySet<string>,
): { params: Map<string, ValidatedParams>; findings: Finding[] } {
  const params = new Map<string, ValidatedParams>();
  const findings: Finding[] = [];
  for (const node of graph.nodes.values()) {
    const type = findNodeType(node.type);
    if (!type) continue;
    const validated = validateParams(type, node);
    params.set(node.id, validated);
    const counts = active.has(node.id) || type.outputs.length === 0;
    findings.push(...validated.findings.map((f): Finding => (counts ? f : { ...f, severity: 'warning' })));
  }
  return { params, findings };
}

function expandAll(
  deployments: readonly PipelineNode[],
  graph: ActiveGraph,
  params: ReadonlyMap<string, ValidatedParams>,
) {
  const arms: Arm[] = [];
  const findings: Finding[] = [];
  for (const deployment of deployments) {
    const { arms: found, exceeded } = expandDeployment({ graph, params, deployment }, MAX_PLANS - arms.length);
    arms.push(...found);
    if (!exceeded) continue;
    const message = `The choices and sweeps make more than ${MAX_PLANS} plans, the most that an experiment may have. Take some out.`;
    findings.push(finding('error', 'too-many-plans', message, { nodeId: deployment.id }));
    break;
  }
  return { arms, findings };
}

function unique(findings: readonly Finding[]): Finding[] {
  return [
    ...new Map(findings.map((f) => [JSON.stringify([f.severity, f.code, f.nodeId, f.field, f.message]), f])).values(),
  ];
}

/** Arms that run the same thing: measured twice, they show the noise and nothing else. */
function checkSamePlans(plans: Compiled['plans']): Finding[] {
  const first = new Map<string, string>();
  return plans.flatMap((plan): Finding[] => {
    const twin = first.get(plan.planHash);
    if (twin === undefined) {
      first.set(plan.planHash, plan.deployment);
      return [];
    }
    const message = `${plan.deployment} runs exactly what ${twin} runs.`;
    return [finding('info', 'same-plan', message, { nodeId: plan.deploymentNodeId })];
  });
}

function tooLarge(pipeline: Pipeline): Compiled {
  const message = `The pipeline has ${pipeline.nodes.length} nodes; at most ${MAX_NODES} are compiled.`;
  const findings = [finding('error', 'too-many-nodes', message)];
  return {
    plans: [],
    baseline: '',
    workloads: [],
    findings,
    pipelineHash: hashOf(pipeline),
    protocol: protocolOf(null),
  };
}

/**
 * What a pipeline means: a frozen plan for every arm, the baseline first, and every finding with its node. Pure and
 * deterministic: the same document gives the same bytes. Never throws on a document, however broken.
 */
export function compilePipeline(pipeline: Pipeline, options: CompileOptions): Compiled {
  if (pipeline.nodes.length > MAX_NODES) return tooLarge(pipeline);
  const graph = activeGraph(pipeline);
  const active = participants(graph);
  const { params, findings: paramFindings } = validateNodes(graph, active);
  const findings = [...checkTopology(pipeline, graph, active), ...paramFindings];
  const broken = new Set(findings.filter(isError).flatMap((f) => f.nodeId ?? []));
  const deployments = [...graph.nodes.values()].filter((node) => findNodeType(node.type)?.stage === 'sink');
  if (deployments.length === 0)
    findings.push(finding('error', 'no-deployment', 'The pipeline has no deployment to run.'));
  const expansion = expandAll(deployments, graph, params);
  const isSound = (arm: Arm) => arm.unknownNodeIds.length === 0 && !arm.participants.some((p) => broken.has(p.node.id));
  const sound = expansion.arms.filter(isSound);
  const workloads = compileWorkloads([...graph.nodes.values()], params, broken);
  const compiled = chooseBaseline(sound, params, options, workloads.workloads);
  findings.push(...expansion.findings, ...workloads.findings, ...compiled.findings, ...checkSamePlans(compiled.plans));
  return {
    plans: compiled.plans,
    baseline: compiled.plans.find((plan) => plan.isBaseline)?.deployment ?? '',
    workloads: workloads.workloads,
    findings: unique(findings),
    pipelineHash: hashOf(pipeline),
    protocol: protocolOf(params.get(compiled.baselineNodeId ?? deployments[0]?.id ?? '') ?? null),
  };
}
