import type { Pipeline as Document } from '../core/pipeline/document';
import { EXAMPLES } from '../core/pipeline/examples';

export interface ExampleView {
  id: string;
  title: string;
  summary: string;
  document: Document;
}

/** Pipelines that ship with the product. */
export const listExamples = (): ExampleView[] =>
  EXAMPLES.map(({ id, title, summary, pipeline }) => ({ id, title, summary, document: pipeline }));
