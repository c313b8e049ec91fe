import { oneLine } from '../comment';

/** A directive, a block, or a comment line; empty text is an empty line. */
export type NginxLine = string | { block: string; lines: NginxLine[] };

export const nginxComment = (text: string): string => `# ${oneLine(text)}`;

export function nginxText(lines: readonly NginxLine[], depth = 0): string[] {
  const indent = '    '.repeat(depth);
  return lines.flatMap((line) => {
    if (typeof line !== 'string')
      return [`${indent}${line.block} {`, ...nginxText(line.lines, depth + 1), `${indent}}`];
    return [line === '' ? '' : `${indent}${line}`];
  });
}
