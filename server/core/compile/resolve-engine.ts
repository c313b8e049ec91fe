import type { Engine } from '../engines/engine';
import { compareVersions } from '../engines/version';
import type { Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Component } from '../plan/plan';

/** An engine node, resolved against the registry. `endpoint` is set where the server runs already. */
export interface ResolvedEngine {
  engine: Engine;
  nodeId: string;
  runtime: string | null;
  version: string;
  endpoint: Component['endpoint'];
  /** Arguments without a node, as on a command line. */
  rawArgs: string | null;
  /** Entries of the engine's configuration file without a node, as YAML. */
  rawConfig: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const inRange = (version: string, { readFrom, readTo }: Engine['versions']): boolean => {
  const [low, high] = [compareVersions(version, readFrom), compareVersions(version, readTo)];
  return low !== null && high !== null && low >= 0 && high <= 0;
};

function versionOf(engine: Engine, runtime: string | null, asked: string | null, nodeId: string): [string, Finding[]] {
  const known = engine.runtimes.find((r) => r.id === runtime)?.versions ?? [];
  const version = asked ?? known[0] ?? engine.versions.pinned;
  if (version === engine.versions.pinned || known.includes(version) || inRange(version, engine.versions))
    return [version, []];
  const { readFrom, readTo, source } = engine.versions;
  const range = readFrom === readTo ? readFrom : `${readFrom} to ${readTo}`;
  const message = `The facts about ${engine.title} were read from ${range}; ${version} may take other arguments.`;
  const where = { nodeId, field: 'version', source };
  return [version, [finding('warning', 'engine-version-outside-facts', message, where)]];
}

/** Said on every plan of such an engine: it can be exported, not run. */
function serverFindings({ title, noServer }: Engine, nodeId: string): Finding[] {
  if (noServer === undefined) return [];
  const where = { nodeId, field: 'engine', source: noServer.source };
  return [finding('warning', 'engine-without-server', `${title}: ${noServer.reason}.`, where)];
}

function endpointOf(participant: Participant): { endpoint: Component['endpoint']; findings: Finding[] } {
  const { params, node } = participant;
  const url = text(params.url);
  if (url !== null) {
    return { endpoint: { url, model: text(params.model), apiKeySecret: text(params.apiKeySecret) }, findings: [] };
  }
  const message = 'An endpoint needs the URL of the server that runs already.';
  return {
    endpoint: null,
    findings: [finding('error', 'endpoint-url-missing', message, { nodeId: node.id, field: 'url' })],
  };
}

/** Engine, runtime and version of an engine node. `resolved` is null where there is an error. */
export function resolveEngine(
  participant: Participant,
  engines: readonly Engine[],
): { resolved: ResolvedEngine | null; findings: Finding[] } {
  const { params, node } = participant;
  const id = text(params.engine) ?? '';
  const engine = engines.find((e) => e.id === id);
  const fail = (code: string, field: string, message: string) => ({
    resolved: null,
    findings: [finding('error', code, message, { nodeId: node.id, field })],
  });
  if (!engine) {
    return fail('engine-unknown', 'engine', `"${id}" is no engine; known are ${engines.map((e) => e.id).join(', ')}.`);
  }
  const runtime = text(params.runtime) ?? engine.runtimes[0]?.id ?? null;
  if (runtime !== null && !engine.runtimes.some((r) => r.id === runtime)) {
    const known = engine.runtimes.map((r) => r.id).join(', ') || 'none';
    return fail('runtime-unknown', 'runtime', `${engine.title} has no runtime "${runtime}"; known are ${known}.`);
  }
  const [version, versionFindings] = versionOf(engine, runtime, text(params.version), node.id);
  versionFindings.push(...serverFindings(engine, node.id));
  if (engine.id !== 'endpoint') {
    return {
      resolved: {
        engine,
        nodeId: node.id,
        runtime,
        version,
        endpoint: null,
        rawArgs: text(params.rawArgs),
        rawConfig: text(params.rawConfig),
      },
      findings: versionFindings,
    };
  }
  const { endpoint, findings } = endpointOf(participant);
  const resolved = endpoint
    ? { engine, nodeId: node.id, runtime, version: engine.versions.pinned, endpoint, rawArgs: null, rawConfig: null }
    : null;
  return { resolved, findings };
}
