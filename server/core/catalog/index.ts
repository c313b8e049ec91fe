import type { NodeType } from './node-type';
import { deployment } from './sinks/deployment';
import { SOURCES } from './sources/index';
import { TECHNIQUES } from './techniques/index';

/** Every node type, in the order of the palette. */
export const NODE_TYPES: readonly NodeType[] = [...SOURCES, ...TECHNIQUES, deployment];
