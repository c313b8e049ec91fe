import { z } from 'zod';

/** Version of the pipeline format; `pipeline/upgrade` brings older documents here, one step a version. */
export const PIPELINE_VERSION = 1;

export const portRefSchema = z.object({ node: z.string().min(1), port: z.string().min(1) });
export const edgeSchema = z.object({ from: portRefSchema, to: portRefSchema });

/**
 * A node as the file holds it. `type` is any string: an unknown type stays as a placeholder and is written back.
 * A parameter's value may be `{ "$sweep": [...] }`. Keys that we do not know are kept.
 */
export const nodeSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().min(1),
  params: z.record(z.string(), z.unknown()).default({}),
  bypassed: z.boolean().optional(),
  position: z.object({ x: z.number(), y: z.number() }).optional(),
});

export const pipelineSchema = z.looseObject({
  version: z.literal(PIPELINE_VERSION),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
});

export type PortRef = z.infer<typeof portRefSchema>;
export type PipelineEdge = z.infer<typeof edgeSchema>;
export type PipelineNode = z.infer<typeof nodeSchema>;
/** The document of the builder: what a pipeline file holds. */
export type Pipeline = z.infer<typeof pipelineSchema>;

/** A swept parameter: every value becomes an arm (launch kind) or a point (request and load kinds). */
export interface Sweep {
  $sweep: unknown[];
}
export const isSweep = (value: unknown): value is Sweep =>
  typeof value === 'object' && value !== null && Array.isArray((value as Sweep).$sweep);
