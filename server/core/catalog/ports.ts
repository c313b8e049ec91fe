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
