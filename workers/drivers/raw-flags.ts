import path from 'node:path';
import { flagTableOf } from '@/server/core/engines/find-flag-spelling';
import { ENGINES } from '@/server/core/engines/index';
import { splitFlags } from '@/server/core/engines/split-flags';
import type { Component } from '@/server/core/plan/plan';

/** Opt-ins of this host's owner, from the agent's own environment; a plan cannot set them. */
const ALLOW_CODE = 'INFERLOOM_ALLOW_CODE_FLAGS';
const PATH_ROOTS = 'INFERLOOM_PATH_ROOTS';

const isUnder = (roots: readonly string[], file: string): boolean =>
  roots.some((root) => {
    const relative = path.relative(path.resolve(root), path.resolve(root, file));
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  });

/**
 * Why this host does not take the raw arguments of a component, one sentence a flag; [] when it takes them all.
 * Flags that run code that they name, and flags that the facts do not know, need INFERLOOM_ALLOW_CODE_FLAGS=1; flags
 * that name a path need one under a folder of INFERLOOM_PATH_ROOTS (separated as PATH is).
 */
export function refusedRawFlags(component: Component, host: Readonly<Record<string, string | undefined>>): string[] {
  const raw = component.args.filter((arg) => arg.setting === null && arg.nodeId !== null);
  const words = raw.flatMap((arg) => (arg.value === null ? [arg.flag] : [arg.flag, arg.value]));
  const engine = ENGINES.find((known) => known.id === component.engine);
  const table = engine ? flagTableOf(engine, component.runtime) : null;
  if (words.length === 0 || table === null) return [];
  const allowsCode = host[ALLOW_CODE] === '1';
  const roots = (host[PATH_ROOTS] ?? '').split(path.delimiter).filter(Boolean);
  return splitFlags(table, words).flatMap(({ written, fact, value }) => {
    if (fact === null)
      return allowsCode ? [] : [`${written} is not in the facts: start the worker with ${ALLOW_CODE}=1 to take it`];
    if (fact.risk === 'code' && !allowsCode)
      return [`${written} can run code: start the worker with ${ALLOW_CODE}=1 to take it`];
    if (fact.risk === 'path' && (value === null || !isUnder(roots, value)))
      return [`${written} names a path outside the worker's ${PATH_ROOTS}`];
    return [];
  });
}
