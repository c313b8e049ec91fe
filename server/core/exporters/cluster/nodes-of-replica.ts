import type { Arg } from '../../plan/plan';
import type { ComponentLaunch } from './launches';

/** How the pods of one replica find each other. */
export interface ReplicaPosition {
  nodes: number;
  /** Words that Kubernetes fills in, e.g. `$(LWS_LEADER_ADDRESS)`. */
  leader: string;
  rank: string;
  isLeader: boolean;
}

const RENDEZVOUS_PORT = 20000;

const joined = (flag: string, value: string | null): Arg => ({
  flag,
  value,
  setting: null,
  scope: 'target',
  nodeId: null,
  isDefault: false,
  note: 'one replica spans several nodes',
});

/**
 * Arguments with which the pods of one replica join. Sources: vLLM 0.28 `--nnodes`, `--node-rank`, `--master-addr`,
 * `--headless` (arg_utils.py); SGLang `--nnodes`, `--node-rank`, `--dist-init-addr` (the LeaderWorkerSet example of
 * kubernetes-sigs/lws). Null where the engine has another way.
 */
export function joinArgs(engine: string, { nodes, leader, rank, isLeader }: ReplicaPosition): Arg[] | null {
  if (nodes === 1) return [];
  if (engine === 'vllm') {
    const shared = [joined('--nnodes', String(nodes)), joined('--node-rank', rank), joined('--master-addr', leader)];
    return isLeader ? shared : [...shared, joined('--headless', null)];
  }
  if (engine === 'sglang') {
    const address = joined('--dist-init-addr', `${leader}:${RENDEZVOUS_PORT}`);
    return [joined('--nnodes', String(nodes)), joined('--node-rank', rank), address];
  }
  return null;
}

/** Why a component cannot be spread over nodes; null if it can. */
export function spreadRefusal({ component }: Pick<ComponentLaunch, 'component'>, nodes: number): string | null {
  const position = { nodes, leader: '', rank: '', isLeader: true };
  if (joinArgs(component.engine, position) !== null) return null;
  return `${component.hardware.count} × ${component.hardware.id} need ${nodes} nodes, and how ${component.engine} spans nodes without an MPI launcher is not recorded`;
}
