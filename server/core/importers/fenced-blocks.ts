/** A page's code blocks: what is to be read as shell, and the files that stand beside it. */
export interface Blocks {
  shell: string;
  files: Map<string, string>;
}

const FENCE = /^[ \t]*(```|~~~)[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
const FILE_NAME = /([\w./-]+\.(?:ya?ml|json))\b/;
const DATA = ['yaml', 'yml', 'json'];

/** Name of a block's file: in its first comment, else in the line before it. */
function nameOf(before: string, body: string): string {
  const comment = /^\s*#\s*(.*)$/m.exec(body.split('\n', 1)[0] ?? '')?.[1] ?? '';
  const line = before.trimEnd().split('\n').pop() ?? '';
  return FILE_NAME.exec(comment)?.[1] ?? FILE_NAME.exec(line)?.[1] ?? '';
}

/** Takes blocks of YAML and JSON out of a page; what is left is read as shell. A block without a name is `''`. */
export function fencedBlocks(text: string): Blocks {
  const files = new Map<string, string>();
  const shell = text.replace(FENCE, (whole, _fence: string, language: string, body: string, offset: number) => {
    if (!DATA.includes(language.toLowerCase())) return whole;
    files.set(nameOf(text.slice(0, offset), body), body);
    return '';
  });
  return { shell, files };
}
