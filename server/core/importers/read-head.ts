import { SETTING_NAMES, type SettingName, settingSchemas } from '../plan/settings';
import type { Head } from './importer';
import { isRecord } from './read-yaml';
import { partsOf } from './recover/lowering-trial';

const ENGINE = /^Engine: \S+ (\S+)(?: \(\S+\))?; hardware: (\S+) × (\d+)$/;
const REQUEST = /^Requests of the measured runs carry (\{.*\}); the server does not add them\.$/;
const IMPLICIT = /^The engine's default, no argument: (.*)$/;

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const TOLD = /^Settings that no argument tells in full: (\{.*\})$/;

const isSetting = (name: string): name is SettingName => (SETTING_NAMES as readonly string[]).includes(name);

/** `preemption "recompute", beams 1`: settings that hold without an argument. Values are JSON. */
function implicitOf(text: string): Record<string, unknown> {
  const found = [...text.matchAll(/((?:draft\.)?[A-Za-z]+) ("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false)(?:, |$)/g)];
  return Object.fromEntries(
    found.flatMap(([, key = '', value = '']) => {
      const { name } = partsOf(key);
      const parsed: unknown = isSetting(name) ? JSON.parse(value) : undefined;
      return isSetting(name) && settingSchemas[name].safeParse(parsed).success ? [[key, parsed] as const] : [];
    }),
  );
}

/** Settings by name that are of the catalogue, with values that they take. */
function toldOf(text: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(objectOf(text)).filter(([key, value]) => {
      const { name } = partsOf(key);
      return isSetting(name) && settingSchemas[name].safeParse(value).success;
    }),
  );
}

/** `speculation, node a; draftTokens, node a: k = 3` → both names. */
export const namesIn = (comment: string): string[] =>
  [...comment.matchAll(/(?:^|; |: )((?:draft\.)?[A-Za-z]+), (?:node |needed by the workload)/g)].map(
    ([, key = '']) => key,
  );

/** What our own exporters write at the top of a file and beside its arguments. Null where the text is none of ours. */
export function readHead(comments: readonly string[]): Head | null {
  const engine = comments.map((line) => ENGINE.exec(line)).find((match) => match !== null);
  if (!engine) return null;
  const [, version = '', device = '', count = '1'] = engine;
  const request = comments.map((line) => REQUEST.exec(line)?.[1]).find((found) => found !== undefined);
  const implicit = comments.map((line) => IMPLICIT.exec(line)?.[1]).find((found) => found !== undefined);
  const told = comments.map((line) => TOLD.exec(line)?.[1]).find((found) => found !== undefined);
  return {
    device,
    count: Number(count),
    version,
    request: request === undefined ? {} : objectOf(request),
    implicit: implicit === undefined ? {} : implicitOf(implicit),
    told: told === undefined ? {} : toldOf(told),
    named: new Set(comments.flatMap(namesIn)),
  };
}
