'use client';

import { type Connection, type FinalConnectionState, type OnConnectStartParams, useReactFlow } from '@xyflow/react';
import { connect } from '../actions/connect';
import { useBuilder } from '../builder-context';
import { refusalOf, refusalsFor } from '../connect-rules';

const edgeOf = ({ source, sourceHandle, target, targetHandle }: Connection | OnEdge) => ({
  from: { node: source, port: sourceHandle ?? '' },
  to: { node: target, port: targetHandle ?? '' },
});
interface OnEdge {
  source: string;
  target: string;
  sourceHandle?: string | null;
  targetHandle?: string | null;
}

const pointOf = (event: MouseEvent | TouchEvent): { x: number; y: number } => {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
};

/** Drawing an edge: what can take it lights up; on empty canvas a search opens for what could. */
export function useConnecting() {
  const builder = useBuilder();
  const flow = useReactFlow();
  const pipelineNow = () => builder.document.store.getState().pipeline;

  const onConnectStart = (_event: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
    if (!nodeId || !handleId || !handleType) return;
    const from = { node: nodeId, port: handleId, side: handleType };
    builder.ui.setState({ connecting: { from, refusals: refusalsFor(pipelineNow(), from) } });
  };
  const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    const { connecting } = builder.ui.getState();
    builder.ui.setState({ connecting: null });
    if (!connecting || state.toNode) return;
    const point = pointOf(event);
    const at = flow.screenToFlowPosition(point, { snapToGrid: true });
    builder.ui.setState({ search: { at, from: connecting.from } });
  };
  const onConnect = (connection: Connection) => {
    const edge = edgeOf(connection);
    if (refusalOf(pipelineNow(), edge) === null) builder.document.dispatch(connect, edge);
  };
  const isValidConnection = (connection: Connection | OnEdge) => refusalOf(pipelineNow(), edgeOf(connection)) === null;
  return { onConnectStart, onConnectEnd, onConnect, isValidConnection };
}
