import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Component, Plan } from '@/server/core/plan/plan';
import type { EffectiveRow } from '@/server/core/run/trial';
import { SIMULATOR_OWNER } from '../simulator/owner';
import type { Driver, RunningEngine } from './driver';
import type { DriverEnvironment } from './environment';
import { LaunchError } from './launch-error';
import { MissingSecretError, secretReference } from './secrets';

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_ANSWER_CHARS = 1_000_000;
/** Cloud metadata services outside the link-local range. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(['100.100.100.200', 'fd00:ec2::254']);

const modelsSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().nullish() })).min(1),
});

/** Whether an address is one that a worker never talks to: link-local, metadata, unspecified, multicast. */
export function isForbiddenAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (METADATA_ADDRESSES.has(parsed.toString())) return true;
  return range === 'linkLocal' || range === 'multicast' || range === 'unspecified' || range === 'broadcast';
}

/** Refuses what is no http(s) URL or leads to a forbidden address. Throws LaunchError with a plain sentence. */
async function checkUrl(text: string): Promise<URL> {
  const refuse = (why: string): LaunchError =>
    new LaunchError('engine-refused-arguments', `endpoint ${text}: ${why}`, { logTail: [], command: [] });
  if (!URL.canParse(text)) throw refuse('not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('only http and https are spoken');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (addresses.length === 0) throw refuse('its host name is not known here');
  const forbidden = addresses.find((a) => isForbiddenAddress(a.address));
  if (forbidden !== undefined) throw refuse(`address ${forbidden.address} is never measured (link-local or metadata)`);
  return url;
}

async function getJson(url: string, apiKey: string | null, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, {
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`HTTP ${answer.status}`);
  }
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    text += part.value;
    if (text.length > MAX_ANSWER_CHARS) throw new Error('an answer over a million characters');
  }
  return JSON.parse(text);
}

/** Nobody launched it, so nothing it runs with can be seen: every setting that the plan asks for is unverified. */
export function unverifiedRows(plan: Plan, version: string | null): EffectiveRow[] {
  const rows: EffectiveRow[] = Object.entries(plan.settings)
    .filter(([, s]) => s.asked !== null && s.asked !== undefined)
    .map(([setting, s]) => ({
      nodeId: plan.nodeIds.includes(s.origin) ? s.origin : null,
      setting,
      asked: s.asked,
      got: null,
      state: 'unverified' as const,
      evidence: 'a server that somebody else launched',
    }));
  if (version === null) return rows;
  const evidence = 'GET /version and owned_by in GET /v1/models';
  return [
    ...rows,
    { nodeId: null, setting: 'engineVersion', asked: null, got: version, state: 'unverified', evidence },
  ];
}

/** What the server says of itself, e.g. `vllm 0.11.0`; null where it says nothing. */
async function readVersion(
  base: string,
  owner: string | null,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = z
    .object({ version: z.string() })
    .safeParse(await getJson(`${base}/version`, apiKey, signal).catch(() => null));
  const said = [owner, answer.success ? answer.data.version : null].filter((part) => part !== null && part !== '');
  return said.length === 0 ? null : said.join(' ');
}

/** An OpenAI-compatible server that runs already: nothing is launched, nothing is stopped. */
export function createEndpointDriver(environment: DriverEnvironment): Driver {
  return {
    id: 'endpoint',
    stamp: 'MEASURED',
    supports: (component: Component) => component.endpoint !== null,
    prepare: async () => ({}),
    start: (plan, _files, log, signal) => connect(plan, environment, log, signal),
  };
}

async function connect(
  plan: Plan,
  environment: DriverEnvironment,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<RunningEngine> {
  const endpoint = plan.components[0]?.endpoint;
  if (endpoint == null) throw new Error(`plan ${plan.deployment} names no endpoint`);
  const began = performance.now();
  const url = await checkUrl(endpoint.url);
  const base = url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
  const secretName =
    endpoint.apiKeySecret === null ? null : (secretReference(endpoint.apiKeySecret) ?? endpoint.apiKeySecret);
  const apiKey = secretName === null ? null : environment.secrets.get(secretName);
  if (apiKey === undefined) throw new MissingSecretError(secretName ?? '');
  const models = await getJson(`${base}/v1/models`, apiKey, signal).then(
    (answer) => modelsSchema.safeParse(answer),
    (error: unknown) => {
      signal.throwIfAborted();
      throw new LaunchError('engine-not-found', `${base}/v1/models does not answer: ${messageOf(error)}`, {
        logTail: [],
        command: [],
      });
    },
  );
  const first = models.data?.data[0];
  const model = endpoint.model ?? first?.id;
  if (model === undefined) {
    throw new LaunchError('engine-refused-arguments', `${base}/v1/models names no model`, { logTail: [], command: [] });
  }
  const version = await readVersion(base, first?.owned_by ?? null, apiKey, signal);
  log(`endpoint serves ${model}${version === null ? '' : `, says it is ${version}`}`);
  return {
    url: base,
    model,
    apiKey,
    stamp: first?.owned_by === SIMULATOR_OWNER ? 'SIMULATED' : 'MEASURED',
    pid: null,
    startMs: performance.now() - began,
    command: [],
    logTail: () => [],
    readEffective: async () => unverifiedRows(plan, version),
    resetCaches: async () => false,
    exited: new Promise(() => {}),
    stop: async () => {},
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
