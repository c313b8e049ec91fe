/** Data type of a node type that is dragged from the palette. */
export const DRAG_TYPE = 'application/x-inferloom-node-type';
