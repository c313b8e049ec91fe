import { z } from 'zod';
import {
  edgeSchema,
  nodeSchema,
  type Pipeline,
  type PipelineEdge,
  type PipelineNode,
} from '@/server/core/pipeline/document';
import { innerEdges } from './graph';

const fragmentSchema = z.object({ nodes: z.array(nodeSchema).min(1), edges: z.array(edgeSchema).default([]) });

/** Part of a pipeline, as the clipboard carries it across tabs and graphs. */
export interface Fragment {
  nodes: PipelineNode[];
  edges: PipelineEdge[];
}

export function fragmentOf(pipeline: Pipeline, nodeIds: Iterable<string>): Fragment {
  const chosen = new Set(nodeIds);
  return { nodes: pipeline.nodes.filter((node) => chosen.has(node.id)), edges: innerEdges(pipeline, chosen) };
}

export const toClipboardText = (fragment: Fragment): string => JSON.stringify(fragment, null, 2);

/** Reads nodes from text; a whole pipeline file is one too. Null where the text is something else. */
export function fromClipboardText(text: string): Fragment | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = fragmentSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
