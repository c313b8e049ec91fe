import { commandLine } from './command-line';
import { compose } from './compose';
import type { Importer } from './importer';
import { kubernetes } from './kubernetes';

/** Every form of text that can be read, the most telling first. */
export const IMPORTERS: readonly Importer[] = [kubernetes, compose, commandLine];

/** The importer for a text; null where it has no form that we know. */
export const detect = (text: string): Importer | null =>
  IMPORTERS.find((importer) => importer.recognizes(text)) ?? null;
