import type { Invocation } from './importer';

/** A start of which only the engine and its arguments are known; `more` says what else is. */
export const plainInvocation = (engine: string, words: string[], more: Partial<Invocation> = {}): Invocation => ({
  engine,
  runtime: null,
  version: null,
  words,
  env: {},
  image: null,
  devices: null,
  device: null,
  head: null,
  preparation: [],
  files: new Map(),
  scaling: null,
  notKept: [],
  ...more,
});
