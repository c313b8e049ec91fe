import { NODE_TYPES } from './index';
import type { NodeType } from './node-type';

const BY_TYPE = new Map(NODE_TYPES.map((nodeType) => [nodeType.type, nodeType]));

/** The node type of that name, or null: the document may hold types that this version does not know. */
export const findNodeType = (type: string): NodeType | null => BY_TYPE.get(type) ?? null;
