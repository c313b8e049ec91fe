import { Command, CommanderError } from 'commander';
import { PlainError } from '@/server/start/say.mjs';
import { VERBS } from './index';
import { ExitError } from './verb';

const program = new Command('inferloom')
  .description('Compose LLM-inference optimizations, run them on real engines, read the verdict.')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text) })
  .showHelpAfterError();

for (const verb of VERBS) {
  verb.describe(program.command(verb.name).summary(verb.summary).description(verb.summary).exitOverride());
}

/** Exit codes: 0 done, 1 the answer is no, 2 wrong usage or unreadable input. A bug keeps its stack and exits 1. */
async function main(): Promise<number> {
  try {
    await program.parseAsync(process.argv);
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof ExitError) {
      process.stderr.write(`inferloom: ${error.message}\n`);
      return error.exitCode;
    }
    const text = error instanceof PlainError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`inferloom: ${text}\n`);
    return 1;
  }
}

process.exitCode = await main();
