import type { Plan } from '../../plan/plan';
import type { ExportInput } from '../exporter';
import { headLines } from '../head';
import { type Launch, launchAs } from '../launch';
import { localPort, runtimeToLaunch } from '../serving/runtime-to-launch';

/** The OpenAI-compatible server that a gateway, a load tool or a scraper talks to. */
export interface Upstream {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** What stands before `/v1`, without a slash at the end; percent-encoded but for letters, digits and a few signs. */
  basePath: string;
  /** Name under which requests ask for the model. */
  model: string;
  /** Secret that the server itself asks for; null where it asks for none. */
  apiKeySecret: string | null;
}

const NAME_FLAGS = ['--served-model-name', '--alias', '--model-name', '--served_model_name'];

/** Name that clients give: what the arguments say, else the repository or file of the weights. */
function servedModel(plan: Plan, launch: Launch): string {
  const named = launch.args.find(({ flag }) => NAME_FLAGS.includes(flag))?.value;
  if (named !== undefined && named !== null) return named;
  const target = plan.checkpoints.find(({ scope }) => scope === 'target');
  if (target === undefined) return plan.label;
  return target.recipe === null && !target.repo.startsWith('bundled:') ? target.repo : target.fileName;
}

const encodePath = (path: string): string =>
  path.replace(/\/+$/, '').replace(/[^A-Za-z0-9/._~%-]/g, (char) => encodeURIComponent(char).replace(/'/g, '%27'));

function runningServer(plan: Plan): Upstream | null {
  const endpoint = plan.components[0]?.endpoint ?? null;
  if (endpoint === null) return null;
  const url = new URL(endpoint.url);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  return {
    scheme,
    host: url.hostname,
    port: Number(url.port) || (scheme === 'https' ? 443 : 80),
    basePath: encodePath(url.pathname.replace(/\/v1\/?$/, '')),
    model: endpoint.model ?? plan.label,
    apiKeySecret: endpoint.apiKeySecret,
  };
}

/** Where the plan's server listens: its own address if it runs already, else this machine and the engine's usual port. */
export function upstreamOf({ plan, engine }: ExportInput): { upstream: Upstream; launch: Launch } {
  const launch = launchAs(plan, engine, runtimeToLaunch(plan, engine));
  const secret = plan.settings.apiKeySecret?.asked;
  const upstream = runningServer(plan) ?? {
    scheme: 'http',
    host: '127.0.0.1',
    port: localPort(engine),
    basePath: '',
    model: servedModel(plan, launch),
    apiKeySecret: typeof secret === 'string' ? secret : null,
  };
  return { upstream, launch };
}

export const upstreamUrl = ({ scheme, host, port, basePath }: Upstream): string =>
  `${scheme}://${host}:${port}${basePath}`;

/** Head of a file that stands beside a server: the server's own where one is launched, else what runs there. */
export function besideServerHead(
  { plan, engine, evidence }: ExportInput,
  launch: Launch,
  upstream: Upstream,
): string[] {
  const own = headLines(plan, launch, null, evidence);
  if (own.length > 0) return own;
  const parts = plan.components.map(({ name, engine: id, engineVersion }) => `${name} (${id} ${engineVersion})`);
  return [
    `${plan.label} (${plan.deployment}), written by Inferloom from plan ${plan.planHash.slice(0, 12)}`,
    `Server: ${plan.components[0]?.endpoint ? upstreamUrl(upstream) : `${engine.title}: ${parts.join(', ')}`}`,
    'Evidence: not measured on this engine and device; estimate: none yet',
    ...launch.findings.filter((f) => f.code === 'not-in-manifest').map((f) => `Missing: ${f.message}`),
  ];
}
