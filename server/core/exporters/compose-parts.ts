import { Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { findHardware } from '../facts/hardware';
import { type Finding, finding } from '../plan/finding';
import type { Arg, Component } from '../plan/plan';
import { originsOf } from './comment';
import type { EnvEntry, Launch } from './launch';
import { list, map, text } from './yaml-nodes';

/** Compose fills in `$NAME` in every string; a dollar that means itself is written twice. */
export const literal = (text: string): string => text.replaceAll('$', '$$$$');

const SECRET = /^\$(INFERLOOM_SECRET_[A-Z0-9_]+)$/;

/** A value as Compose reads it: a secret by name, everything else as it is. */
function withSecret(value: string): string {
  const secret = SECRET.exec(value)?.[1];
  return secret === undefined ? literal(value) : `\${${secret}:?set it to the secret}`;
}

/** The command as one item a word; the origin stands behind the flag. */
export function commandList(launch: Launch, fixed: readonly Arg[], path: (arg: Arg) => string | null): YAMLSeq {
  const origins = [...originsOf(launch), ...fixed.map((arg) => arg.note ?? 'fixed')];
  return list(
    ...[...launch.args, ...fixed].flatMap((arg, i) => {
      const origin = origins[i] ?? '';
      const value = path(arg);
      if (value === null) return [text(literal(arg.flag), origin)];
      return [text(literal(arg.flag), origin), text(withSecret(value))];
    }),
  );
}

/** Variables of the plan; `hub`: the engine downloads, and a gated repository asks for a token. */
export function environment(env: readonly EnvEntry[], hub: boolean): YAMLMap {
  const entries = env.map(({ name, value, setting, nodeId }): [string, Scalar<string>] => {
    return [name, text(withSecret(value), `${setting}, node ${nodeId ?? '?'}`)];
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
  const token: [string, Scalar<string>] = ['HF_TOKEN', text('${HF_TOKEN:-}', 'for gated repositories only')];
  return map(Object.fromEntries(hub ? [...entries, token] : entries));
}

const number = (value: number): Scalar<number> => new Scalar(value);

/** Devices by number where several services share a machine, else how many. */
function devicesTaken(count: number, first: number | null): Record<string, unknown> {
  if (first === null) return { count: number(count) };
  return { device_ids: list(...Array.from({ length: count }, (_, i) => text(String(first + i)))) };
}

/** Keys that give the service its devices; empty on a CPU. `first`: null where no other service takes any. */
export function deviceKeys(
  hardware: Component['hardware'],
  plan: string,
  first: number | null = null,
): { keys: Record<string, unknown>; findings: Finding[] } {
  if (hardware.kind === 'cpu') return { keys: {}, findings: [] };
  const vendor = findHardware(hardware.id)?.vendor ?? null;
  if (vendor === 'nvidia') {
    const device = map({
      driver: text('nvidia'),
      ...devicesTaken(hardware.count, first),
      capabilities: list(text('gpu')),
    });
    const deploy = map({ resources: map({ reservations: map({ devices: list(device) }) }) });
    return { keys: { deploy }, findings: [] };
  }
  if (vendor === 'amd') {
    const keys = {
      devices: list(text('/dev/kfd'), text('/dev/dri')),
      group_add: list(text('video'), text('render')),
      security_opt: list(text('seccomp=unconfined')),
    };
    return { keys, findings: [] };
  }
  const message = `${plan}: the file reserves no device, since containers reach ${hardware.id} (${vendor ?? 'vendor unknown'}) in a way that is not recorded.`;
  return { keys: {}, findings: [finding('warning', 'no-device-reservation', message)] };
}

/** Probes /health, which stays open where an API key is set. The engine may load for minutes. */
export function healthcheck(port: number, path: string): YAMLMap {
  return map({
    test: list(text('CMD-SHELL'), text(`curl -fsS http://localhost:${port}${path} || exit 1`)),
    interval: text('10s'),
    timeout: text('5s'),
    retries: number(3),
    start_period: text('20m', 'loading and compiling count as starting, not as failing'),
  });
}
