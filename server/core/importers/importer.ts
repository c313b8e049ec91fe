import type { Pipeline } from '../pipeline/document';
import type { Finding } from '../plan/finding';
import type { ScalingIntent } from './scaling';

/** An argument or variable for which the graph has no parameter. `node`: where it is kept word for word; null: nowhere. */
export interface Unmapped {
  flag: string;
  value: string | null;
  node: string | null;
}

export interface Imported {
  pipeline: Pipeline;
  /** Id of the importer; empty where no form was recognized. */
  recognized: string;
  findings: Finding[];
  unmapped: Unmapped[];
}

/** One start of an engine, however it was written down: what every importer makes of its text. */
export interface Invocation {
  /** Id of the dialect, which is that of the engine. */
  engine: string;
  runtime: string | null;
  /** Null where nothing says it. */
  version: string | null;
  /** Arguments behind the command. */
  words: string[];
  env: Readonly<Record<string, string>>;
  /** Container image; null where none is named. */
  image: string | null;
  /** Devices that the surroundings reserve; null where nothing is said, `all` where every one is taken. */
  devices: number | 'all' | null;
  /** Kind of device that the surroundings name, in their words; null where they name none. */
  device: string | null;
  /** What the head of one of our own files says. */
  head: Head | null;
  /** Commands beside it that fetch or make weights. */
  preparation: readonly (readonly string[])[];
  /** Files that stand in the same text, by path: what a heredoc writes, a ConfigMap holds. */
  files: ReadonlyMap<string, string>;
  /** Copies of the engine that the surroundings ask for; null: one, or nothing is said. */
  scaling: ScalingIntent | null;
  /** What stands around the command and has no place in the graph, one sentence each. */
  notKept: readonly string[];
}

export interface Head {
  device: string;
  count: number;
  version: string;
  request: Readonly<Record<string, unknown>>;
  /** Settings that were asked for and need no argument, the engine does so anyway: by name, `draft.` before another scope's. */
  implicit: Readonly<Record<string, unknown>>;
  /** Settings whose value the arguments do not tell, or not in full, by name as above. */
  told: Readonly<Record<string, unknown>>;
  /** Settings that the file's comments name beside the arguments. */
  named: ReadonlySet<string>;
}

/** A form of text. `recognizes` is cheap; `read` gives every engine start that it finds. */
export interface Importer {
  id: string;
  title: string;
  recognizes(text: string): boolean;
  read(text: string): { invocations: Invocation[]; findings: Finding[] };
}
