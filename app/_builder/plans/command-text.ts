const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;

const quoted = (word: string): string => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** An argv as a POSIX shell line, for copying. */
export const commandText = (argv: readonly string[]): string => argv.map(quoted).join(' ');
