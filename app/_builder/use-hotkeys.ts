'use client';

import { useEffect } from 'react';
import { type CommandId, commandFor } from './commands';
import { isTextField } from './is-text-field';

/** Keys of the builder; an open dialog or menu keeps the keys for itself. */
export function useHotkeys(run: (id: CommandId) => void, graphSeen: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role=dialog],[role=alertdialog],[role=menu]')) return;
      const id = commandFor(event, isTextField(event.target), graphSeen);
      if (!id) return;
      event.preventDefault();
      run(id);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [run, graphSeen]);
}
