'use client';

import { useConnection } from '@xyflow/react';
import { useUi } from '../builder-context';
import { portKey } from '../connect-rules';

/** While an edge is over a port that cannot take it: why. */
export function ConnectHint() {
  const connecting = useUi((state) => state.connecting);
  const over = useConnection((state) =>
    state.inProgress && state.toHandle ? portKey(state.toHandle.nodeId, state.toHandle.id ?? '') : null,
  );
  const reason = connecting && over ? connecting.refusals.get(over) : null;
  if (!connecting) return null;
  return (
    <p role="status" className="rounded-md border border-line-strong bg-panel px-2.5 py-1 text-xs shadow-float">
      {reason ?? (over ? 'Let go to connect' : 'Drop on a lit port, or on empty canvas to add a node')}
    </p>
  );
}
