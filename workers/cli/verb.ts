import type { Command } from 'commander';

/** One verb of the command line: one file, one line in `index.ts`. `describe` adds arguments, options and the action. */
export interface Verb {
  name: string;
  summary: string;
  describe(command: Command): void;
}

/** Ends the process with a message on stderr: 1 the answer is no, 2 wrong usage or unreadable input. */
export class ExitError extends Error {
  constructor(
    readonly exitCode: 1 | 2,
    message: string,
  ) {
    super(message);
  }
}

/** Writes one JSON document to stdout. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
};
