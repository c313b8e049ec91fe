import { type Finding, finding } from '../plan/finding';
import { importInvocation } from './import-invocation';
import type { Imported } from './importer';
import { detect, IMPORTERS } from './index';

/** Longest text that is read, characters; a command or manifest is far shorter. */
export const MAX_TEXT = 1_000_000;

const nothing = (recognized: string, findings: Finding[]): Imported => ({
  pipeline: { version: 1, nodes: [], edges: [] },
  recognized,
  findings,
  unmapped: [],
});

/**
 * Reads a command line or a manifest as a pipeline. Nothing in the text is run, expanded or looked up. Never throws:
 * text of another kind gives an empty pipeline and an error finding.
 */
export function importText(text: string): Imported {
  if (text.length > MAX_TEXT) {
    const message = `The text has ${text.length} characters; at most ${MAX_TEXT} are read.`;
    return nothing('', [finding('error', 'text-too-long', message)]);
  }
  const importer = detect(text);
  if (importer === null) {
    const forms = IMPORTERS.map(({ title }) => title).join(', ');
    return nothing('', [finding('error', 'not-recognized', `The text is no form that can be imported: ${forms}.`)]);
  }
  const { invocations, findings } = importer.read(text);
  const [first, ...others] = invocations;
  if (first === undefined) {
    const message = `${importer.title}: nothing in it starts llama-server, vLLM or the embedded engine.`;
    return nothing(importer.id, [...findings, finding('error', 'no-engine-start', message)]);
  }
  const imported = importInvocation(first);
  const skipped = others.map((other) => {
    const words = other.words.slice(0, 3).join(' ').slice(0, 80);
    const message = `Another start of ${other.engine} (${words} …) is not imported; import it on its own.`;
    return finding('warning', 'engine-start-not-imported', message);
  });
  return { ...imported, recognized: importer.id, findings: [...findings, ...imported.findings, ...skipped] };
}
