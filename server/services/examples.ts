import type { Pipeline as Document } from '../core/pipeline/document';

export interface ExampleView {
  id: string;
  title: string;
  summary: string;
  document: Document;
}

/** Pipelines that ship with the product. */
export function listExamples(): ExampleView[] {
  return [];
}
