import { oneLine } from '../comment';
import { secretName } from '../secret-reference';

const PLAIN = /^[A-Za-z0-9_@:,.+/=-]+$/;

const escapeByte = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/**
 * Text inside double quotes of a unit file: backslash and quote escaped, line ends and other control characters as
 * C escapes, `%` doubled (specifiers). Source: systemd.syntax(7), systemd.unit(5) "Specifiers".
 */
const quoted = (text: string): string =>
  text
    .replace(/[\\"]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a unit file must not hold them raw
    .replace(/[\u0000-\u001f\u007f]/g, escapeByte)
    .replaceAll('%', '%%');

/** One word of an `Environment=` line, where `$` means itself. */
export const environmentWord = (text: string): string => `"${quoted(text)}"`;

/** One word of an `ExecStart=` line, where `$` starts a variable and is doubled to mean itself. */
export function execWord(text: string): string {
  if (PLAIN.test(text)) return text;
  return `"${quoted(text).replaceAll('$', () => '$$')}"`;
}

/** A value of the command line; a secret stands there by name, and systemd fills it in from the environment file. */
export function execValue(value: string): string {
  const secret = secretName(value);
  return secret === null ? execWord(value) : `\${${secret}}`;
}

/** Text of a setting that takes the rest of its line: one line, no specifiers, no continuation. */
export const lineText = (text: string): string => oneLine(text).replaceAll('%', '%%').replaceAll('\\', '/');

/** A comment; a backslash at its end would not continue it, but a reader may think so. */
export const unitComment = (text: string): string => `# ${oneLine(text).replace(/\\+$/, '')}`;
