/** A page's code blocks: what is to be read as shell, and the files that stand beside it. */
export interface Blocks {
  shell: string;
  files: Map<string, string>;
}

const FENCE = /^[ \t]*(```|~~~)[ \t]*([\w-]*)/;
const FILE_NAME = /([\w./-]{1,200}\.(?:ya?ml|json))\b/;
const DATA = ['yaml', 'yml', 'json'];

/** Name of a block's file: in its first comment, else in the line before it. */
function nameOf(before: string, first: string): string {
  const comment = /^\s*#\s*(.*)$/.exec(first)?.[1] ?? '';
  return FILE_NAME.exec(comment)?.[1] ?? FILE_NAME.exec(before)?.[1] ?? '';
}

interface Open {
  fence: string;
  name: string;
  body: string[];
}

/** Takes blocks of YAML and JSON out of a page; what is left is read as shell. A block without a name is `''`. */
export function fencedBlocks(text: string): Blocks {
  const files = new Map<string, string>();
  const shell: string[] = [];
  const lines = text.split('\n');
  let open: Open | null = null;
  for (const [i, line] of lines.entries()) {
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (open !== null) {
      if (fence === open.fence && language === '') {
        files.set(open.name, `${open.body.join('\n')}\n`);
        open = null;
      } else open.body.push(line);
    } else if (fence !== undefined && DATA.includes(language.toLowerCase())) {
      open = { fence, name: nameOf(shell.findLast((one) => one.trim() !== '') ?? '', lines[i + 1] ?? ''), body: [] };
    } else shell.push(line);
  }
  return { shell: [...shell, ...(open?.body ?? [])].join('\n'), files };
}
