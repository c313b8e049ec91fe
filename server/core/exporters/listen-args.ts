import type { Engine } from '../engines/engine';
import type { Arg } from '../plan/plan';

/** Spelling of an engine's address flags; `metrics`: counters appear only where this is given. */
interface ListenFlags {
  host: string;
  port: string;
  metrics: string | null;
}

const USUAL: ListenFlags = { host: '--host', port: '--port', metrics: null };

/** Sources: each engine's flag table in `engines/flags`. */
const LISTEN_FLAGS: Readonly<Record<string, ListenFlags>> = {
  'llama.cpp': { ...USUAL, metrics: '--metrics' },
  vllm: USUAL,
  sglang: { ...USUAL, metrics: '--enable-metrics' },
  'tensorrt-llm': USUAL,
  tgi: { host: '--hostname', port: '--port', metrics: null },
  lmdeploy: { host: '--server-name', port: '--server-port', metrics: null },
  transformers: USUAL,
};

const fixed = (flag: string, value: string | null, note: string): Arg => ({
  flag,
  value,
  setting: null,
  scope: 'target',
  nodeId: null,
  isDefault: false,
  note,
});

/** Arguments that a server in a container needs and no setting asks for; none that stands in the command already. */
export function listenArgs(engine: Engine, given: readonly Arg[], port: number = engine.port): Arg[] {
  const { host, port: portFlag, metrics } = LISTEN_FLAGS[engine.id] ?? USUAL;
  const all = [
    fixed(host, '0.0.0.0', 'inside the container'),
    fixed(portFlag, String(port), 'the port that is published'),
    ...(metrics === null ? [] : [fixed(metrics, null, `counters at ${engine.metricsPath}`)]),
  ];
  return all.filter(({ flag }) => !given.some((arg) => arg.flag === flag));
}

/** The same for a router before pools, which spells both flags as its engine does. */
export const routerArgs = (engine: Engine, given: readonly Arg[]): Arg[] => {
  const { host, port } = LISTEN_FLAGS[engine.id] ?? USUAL;
  return [
    fixed(host, '0.0.0.0', 'inside the container'),
    fixed(port, String(engine.port), 'the port that is published'),
  ].filter(({ flag }) => !given.some((arg) => arg.flag === flag));
};
