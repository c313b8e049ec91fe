import { commandLine } from './command-line';
import { compose } from './compose';
import type { Importer } from './importer';
import { kubernetes } from './kubernetes';
import { productionStack } from './production-stack';
import { pythonSnippet } from './python-snippet';
import { rayServe } from './ray-serve';
import { skypilot } from './skypilot';
import { systemdUnit } from './systemd-unit';

/** Every form of text that can be read, the most telling first. */
export const IMPORTERS: readonly Importer[] = [
  kubernetes,
  productionStack,
  rayServe,
  compose,
  skypilot,
  systemdUnit,
  pythonSnippet,
  commandLine,
];

/** The importer for a text; null where it has no form that we know. */
export const detect = (text: string): Importer | null =>
  IMPORTERS.find((importer) => importer.recognizes(text)) ?? null;
