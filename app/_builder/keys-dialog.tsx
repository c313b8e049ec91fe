'use client';

import { Dialog } from '@/app/_ui/dialog';
import { Kbd } from '@/app/_ui/kbd';
import { useBuilder, useUi } from './builder-context';
import { COMMANDS } from './commands';

export function KeysDialog() {
  const { ui } = useBuilder();
  const open = useUi((state) => state.dialog === 'keys');
  return (
    <Dialog
      open={open}
      onOpenChange={() => ui.setState({ dialog: null })}
      title="Keys"
      description="On a Mac, Ctrl is ⌘. In a text field, undo and redo edit the text."
    >
      <dl className="grid grid-cols-1 gap-x-8 gap-y-1 sm:grid-cols-2">
        {COMMANDS.map((command) => (
          <div key={command.id} className="flex items-center justify-between gap-3">
            <dt>{command.label}</dt>
            <dd className="flex gap-1">
              {command.keys.map((keys) => (
                <Kbd key={keys} keys={keys} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
