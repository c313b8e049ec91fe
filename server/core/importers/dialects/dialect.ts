import type { Invocation } from '../importer';
import type { Reading } from '../reading';

/** Words that start an engine; each is compared with the last part of a path, without `.exe`. */
export interface Start {
  words: readonly (string | RegExp)[];
  runtime?: string;
}

/** Where a model is named. */
export interface NamedModel {
  name: string;
  revision: string | null;
}

/** How one engine is written down: what the tables of flags and lowerings do not say. One file, one line in the registry. */
export interface Dialect {
  /** Id in the registry of engines. */
  engine: string;
  /** Text that may start it. */
  mentions: RegExp;
  starts: readonly Start[];
  /** Names of its container images, and words at the front of their arguments that belong to the image. */
  image: RegExp;
  imageWords: readonly string[];
  runtime: string | null;
  /** Whether the image starts the engine by itself, so that its arguments are the engine's. */
  isEntryPoint: boolean;
  /** Names (of the flag table) under which the model is given; a word without a flag counts where `positional`. */
  model: { flags: readonly string[]; revision: string | null; positional: boolean; files: 'repository' | 'gguf' };
  /** Flags that name the engine's configuration file. */
  configFlags: readonly string[];
  /** Name of a configuration file that no flag names: the engine finds it by its place. */
  configName?: RegExp;
  /** Set by whoever launches: agent, script, manifest. */
  launcher: readonly string[];
  /** Added by our own files, which say so, so that the engine shows its counters. */
  added: readonly string[];
  keyFlags: readonly string[];
  keyVariables: readonly string[];
  /** Devices over which the work is spread, the product of the ranks. */
  ranks(reading: Reading): number;
  /** The device that a text without a word about it is likely to mean. */
  device(reading: Reading, invocation: Invocation): string;
  /** Names of one thing, an argument and an entry of the configuration file say; the first counts. */
  sameNames?: readonly (readonly string[])[];
  /** Puts what people write into the words of the lowering: short numbers, parts of JSON, implied flags. */
  read?(reading: Reading, invocation: Invocation): void;
  /** Where the draft is named; called after `read`. */
  draft?(reading: Reading): NamedModel | null;
}
