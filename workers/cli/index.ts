import { backup } from './backup';
import { bench } from './bench';
import { catalog } from './catalog';
import { compile } from './compile';
import { describeVerb } from './describe';
import { examples } from './examples';
import { exportVerb } from './export';
import { importVerb } from './import';
import { matrix } from './matrix';
import { ownerLink } from './owner-link';
import { restore } from './restore';
import { run } from './run';
import { simulate } from './simulate';
import { validate } from './validate';
import type { Verb } from './verb';
import { worker } from './worker';

/** Every verb, in the order of `--help`. */
export const VERBS: readonly Verb[] = [
  examples,
  catalog,
  validate,
  compile,
  matrix,
  exportVerb,
  importVerb,
  describeVerb,
  run,
  bench,
  simulate,
  worker,
  backup,
  restore,
  ownerLink,
];
