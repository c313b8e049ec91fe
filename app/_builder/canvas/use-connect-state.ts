'use client';

import { useUi } from '../builder-context';
import { portKey } from '../connect-rules';

/** While an edge is drawn: whether any port of the node can take it. Null where nothing is drawn or it is the origin. */
export function useConnectState(nodeId: string): 'possible' | 'refused' | null {
  return useUi(({ connecting }) => {
    if (!connecting || connecting.from.node === nodeId) return null;
    for (const [key, reason] of connecting.refusals) {
      if (reason === null && key.startsWith(portKey(nodeId, ''))) return 'possible';
    }
    return 'refused';
  });
}
