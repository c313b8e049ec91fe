import type { Pipeline as Document } from '../core/pipeline/document';
import { EXAMPLES, type ExpectedEffect } from '../core/pipeline/examples';

export interface ExampleView {
  id: string;
  title: string;
  summary: string;
  why: string;
  expected: readonly ExpectedEffect[];
  document: Document;
}

/** Pipelines that ship with the product. */
export const listExamples = (): ExampleView[] =>
  EXAMPLES.map(({ id, title, summary, why, expected, pipeline }) => {
    return { id, title, summary, why, expected, document: pipeline };
  });
