import type { z } from 'zod';
import type { InputPort, NodeType, OutputPort } from './node-type';

/** Checks `apply` against the type's own parameters while it is written down; readers see any parameters. */
export const defineNodeType = <P extends z.ZodObject>(nodeType: NodeType<P>): NodeType => nodeType;

export const weightsInput: InputPort = {
  id: 'weights',
  label: 'Weights',
  accepts: ['weights'],
  required: true,
  scope: 'target',
};
export const weightsOutput: OutputPort = { id: 'weights', label: 'Weights', gives: 'weights' };

export const servingInput: InputPort = {
  id: 'serving',
  label: 'Weights or serving',
  accepts: ['weights', 'serving'],
  required: true,
  scope: 'target',
};
export const servingOutput: OutputPort = { id: 'serving', label: 'Serving', gives: 'serving' };

export const gatewayInput: InputPort = {
  id: 'gateway',
  label: 'Gateway',
  accepts: ['gateway'],
  required: false,
  scope: 'target',
};
export const gatewayOutput: OutputPort = { id: 'gateway', label: 'Gateway', gives: 'gateway' };

export const scalingInput: InputPort = {
  id: 'scaling',
  label: 'Scaling',
  accepts: ['scaling'],
  required: false,
  scope: 'target',
};
export const scalingOutput: OutputPort = { id: 'scaling', label: 'Scaling', gives: 'scaling' };

/**
 * Draft weights of a speculation technique: a small model, or heads trained for the target. What is chained before
 * it (quantization, tensor parallelism) holds for the draft alone. Not required by the topology: the compiler offers
 * the draft that is usual for the target.
 */
export const draftInput = (label: string): InputPort => ({
  id: 'draft',
  label,
  accepts: ['weights', 'serving'],
  required: false,
  scope: 'draft',
});
