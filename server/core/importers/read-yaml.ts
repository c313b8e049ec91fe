import { type Document, isScalar, parseAllDocuments, visit } from 'yaml';
import { type Finding, finding } from '../plan/finding';

/** Aliases that one document may expand to: more is a bomb, not a manifest. */
const MAX_ALIASES = 100;
const ALIAS = /(?:^|[\s[{,])[&*][A-Za-z_]\w*(?=[\s\]},]|$)/gm;

/** Comments wherever they stand, those of scripts and files inside the text too. */
const COMMENT = /(?:^|[ \t])#[ \t]?(.*)$/gm;

export interface YamlText {
  documents: unknown[];
  /** In the order of the text. */
  comments: string[];
  findings: Finding[];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** Text of a scalar: numbers and truth values as they are written in JSON. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** Scalars keep the letters they were written with: `0.90` and `1e6` are arguments, no numbers. */
function keepSource(document: Document.Parsed): void {
  visit(document, {
    Scalar(key, node) {
      const isPlain = typeof node.value === 'number' || typeof node.value === 'boolean';
      if (key !== 'key' && isPlain && isScalar(node) && typeof node.source === 'string') node.value = node.source;
    },
  });
}

/** Manifests nest a dozen levels; the parser's time grows with the square of the depth. */
const MAX_NESTING = 100;
const DEEP_LINE = /^(?:[ \t]{400}|(?:[ \t]*[-?:] ){40})/m;

/** Whether brackets, dashes or indentation go deeper than any manifest does. A bracket in a text counts too. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return true;
  }
  return DEEP_LINE.test(text);
}

/** Every document of a YAML text. Faults become findings; nothing is thrown. */
export function readYaml(text: string): YamlText {
  const comments = [...text.matchAll(COMMENT)].map(([, comment = '']) => comment.trim());
  const result: YamlText = { documents: [], comments, findings: [] };
  const fail = (message: string): void => {
    result.findings.push(finding('error', 'yaml-invalid', `The YAML cannot be read: ${message}`));
  };
  if ((text.match(ALIAS) ?? []).length > MAX_ALIASES) {
    fail(`it has more than ${MAX_ALIASES} anchors and aliases.`);
    return result;
  }
  if (isTooDeep(text)) {
    fail(`it nests deeper than ${MAX_NESTING} levels.`);
    return result;
  }
  try {
    const parsed = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false });
    if (!Array.isArray(parsed)) return result;
    for (const document of parsed) {
      const [error] = document.errors;
      if (error) fail(error.message);
      keepSource(document);
      result.documents.push(document.toJS({ maxAliasCount: MAX_ALIASES }));
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  return result;
}
