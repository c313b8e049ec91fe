/** A reason to stop that a person can act on: printed as one plain sentence, exit 1, no stack. */
export class PlainError extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`);

/** Runs `main`; a PlainError or a known system error becomes a sentence, anything else keeps its stack. */
export async function runPlainly(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (error instanceof PlainError) say(`inferloom: ${error.message}`);
    else if (error?.code === 'ENOSPC')
      say(`inferloom: the disk is full (${error.path ?? process.cwd()}). Free some space and start again.`);
    else if (error?.code === 'EACCES' || error?.code === 'EPERM')
      say(
        `inferloom: no permission for ${error.path ?? 'a file'}. The folder may belong to another user; start as that user or set INFERLOOM_DATA_DIR.`,
      );
    else say(String(error?.stack ?? error));
    process.exit(1);
  }
}
