import type { Arg } from '../plan/plan';
import type { Launch } from './launch';

/** Text that stays on one comment line whatever it holds: no control characters, no line ends. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

const asker = (nodeId: string | null): string => (nodeId === null ? 'needed by the workload' : `node ${nodeId}`);

/** Where an argument comes from: setting, node, arithmetic, and the settings that it carries. */
export function originOf(arg: Arg, launch: Launch): string {
  if (arg.setting === null) return oneLine(arg.nodeId === null ? (arg.note ?? 'fixed') : `node ${arg.nodeId}`);
  const scope = arg.scope === 'target' ? '' : `${arg.scope}.`;
  const own = `${scope}${arg.setting}, ${asker(arg.nodeId)}`;
  const carried = launch.carried
    .filter(({ by }) => by === arg.setting)
    .map(({ setting, nodeId }) => `${setting}, ${asker(nodeId)}`);
  const note = arg.note === null ? '' : `: ${arg.note}`;
  const isDefault = arg.isDefault ? ' (the default)' : '';
  return oneLine(`${[own, ...carried].join('; ')}${note}${isDefault}`);
}

/** Origin of each argument once: the second argument of one setting need not repeat it. */
export const originsOf = (launch: Launch): string[] =>
  launch.args.map((arg, i) => {
    const before = launch.args[i - 1];
    const isSame = before !== undefined && before.setting === arg.setting && before.scope === arg.scope;
    return isSame && arg.setting !== null && arg.note === null ? 'see above' : originOf(arg, launch);
  });

/** Parameters that travel with each request; no launch argument holds them. */
export function requestLines(launch: Launch): string[] {
  const names = Object.keys(launch.request);
  if (names.length === 0) return [];
  return [`Requests of the measured runs carry ${JSON.stringify(launch.request)}; the server does not add them.`].map(
    oneLine,
  );
}
