import { withoutSecrets } from '../engines/secret-shape';
import { readShell } from '../engines/shell-words';
import { type Finding, finding } from '../plan/finding';
import { importInvocation } from './import-invocation';
import type { Imported, Importer, Invocation } from './importer';
import { IMPORTERS } from './index';

/** Longest text that is read, characters; a command or manifest is far shorter. */
export const MAX_TEXT = 100_000;

const nothing = (recognized: string, findings: Finding[]): Imported => ({
  pipeline: { version: 1, nodes: [], edges: [] },
  recognized,
  findings,
  unmapped: [],
});

function scrubValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value, 'INFERLOOM_SECRET_VALUE');
  if (Array.isArray(value)) return value.map(scrubValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrubValue(item)]));
}

/** A last look at everything that comes out: what has the shape of a secret goes, wherever the text had it. */
function scrub(imported: Imported): Imported {
  const clean = scrubValue(imported) as Imported;
  if (JSON.stringify(clean.pipeline) === JSON.stringify(imported.pipeline)) return clean;
  const message = 'A parameter looked like a secret and is not stored; INFERLOOM_SECRET_VALUE stands in its place.';
  return { ...clean, findings: [...clean.findings, finding('warning', 'secret-referenced', message)] };
}

interface Read {
  importer: Importer;
  invocations: Invocation[];
  findings: Finding[];
}

/** Reads the text in every form that it may have, the most telling first, until one gives a start of an engine. */
function readForms(text: string): Read | null {
  let first: Read | null = null;
  for (const importer of IMPORTERS) {
    if (!importer.recognizes(text)) continue;
    const read = { importer, ...importer.read(text) };
    if (read.invocations.length > 0) return read;
    first ??= read;
  }
  return first;
}

/** A script that writes a manifest: the manifest is read. */
function readWrittenFiles(text: string): Read | null {
  for (const content of readShell(text).files.values()) {
    const read = readForms(content);
    if (read !== null && read.invocations.length > 0) return read;
  }
  return null;
}

/**
 * Reads a command line, a manifest or a snippet as a pipeline. Nothing in the text is run or looked up. Never throws:
 * text of another kind gives an empty pipeline and an error finding.
 */
export function importText(text: string): Imported {
  if (text.length > MAX_TEXT) {
    const message = `The text has ${text.length} characters; at most ${MAX_TEXT} are read.`;
    return nothing('', [finding('error', 'text-too-long', message)]);
  }
  const read = readForms(text);
  if (read === null) {
    const forms = IMPORTERS.map(({ title }) => title).join(', ');
    return nothing('', [finding('error', 'not-recognized', `The text is no form that can be imported: ${forms}.`)]);
  }
  const isClean = read.invocations.length > 0 && !read.findings.some(({ severity }) => severity === 'error');
  const { importer, invocations, findings } = isClean ? read : (readWrittenFiles(text) ?? read);
  const [first, ...others] = invocations;
  if (first === undefined) {
    const message = `${importer.title}: nothing in it starts an engine that is known here.`;
    return nothing(importer.id, [...findings, finding('error', 'no-engine-start', message)]);
  }
  const imported = importInvocation(first);
  const skipped = others.map((other, i) => {
    const message = `Start ${i + 2} (${other.engine}) is not imported; import it on its own.`;
    return finding('warning', 'engine-start-not-imported', message);
  });
  return scrub({ ...imported, recognized: importer.id, findings: [...findings, ...imported.findings, ...skipped] });
}
