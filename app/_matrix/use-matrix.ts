'use client';

import { useEffect, useState } from 'react';
import type { MatrixRow } from '@/server/core/matrix/matrix';
import type { MatrixMessage, MatrixShape } from './matrix-messages';

export interface MatrixState {
  shape: MatrixShape | null;
  /** Column id → technique → row; columns arrive one after the other. */
  cells: ReadonlyMap<string, ReadonlyMap<string, MatrixRow>>;
  failure: string | null;
}

const EMPTY: MatrixState = { shape: null, cells: new Map(), failure: null };

export function receive(state: MatrixState, message: MatrixMessage): MatrixState {
  if (message.kind === 'shape') return { ...state, shape: message };
  const rows = new Map(message.rows.map((row) => [row.technique, row]));
  return { ...state, cells: new Map(state.cells).set(message.column, rows) };
}

/** The matrix, judged in a web worker: the page answers while thousands of plans are compiled. */
export function useMatrix(): MatrixState {
  const [state, setState] = useState(EMPTY);
  useEffect(() => {
    const worker = new Worker(new URL('./matrix.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<MatrixMessage>) => setState((old) => receive(old, event.data));
    worker.onerror = (event) =>
      setState((old) => ({ ...old, failure: event.message || 'The matrix could not be loaded. Reload the page.' }));
    return () => worker.terminate();
  }, []);
  return state;
}
