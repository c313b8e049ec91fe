'use client';

import { Command } from 'cmdk';
import { Dialog } from '@/app/_ui/dialog';
import { Kbd } from '@/app/_ui/kbd';
import { useBuilder, useDocument, useUi } from '../builder-context';
import { paletteGroups, titleOf } from '../catalog';
import { COMMANDS } from '../commands';
import { useCommands } from '../commands-context';
import { revealNode } from '../ui-store';
import { commandInput, commandItem, commandList, groupHeading } from './command-style';

/** Ctrl K: commands, nodes to go to, nodes to add. */
export function CommandPalette() {
  const { ui } = useBuilder();
  const open = useUi((state) => state.dialog === 'commands');
  const nodes = useDocument((state) => state.pipeline.nodes);
  const commands = useCommands();
  const close = () => ui.setState({ dialog: null });
  const afterClose = (act: () => void) => () => {
    close();
    // The dialog gives the focus back first; a command may move it on.
    setTimeout(act, 0);
  };
  return (
    <Dialog open={open} onOpenChange={close} title="Commands">
      <Command label="Commands" className="-mx-4 -my-3">
        <Command.Input autoFocus placeholder="Type a command or a node" className={commandInput} />
        <Command.List className={commandList}>
          <Command.Empty className="px-2 py-3 text-dim">Nothing matches.</Command.Empty>
          <Command.Group heading="Commands" className={groupHeading}>
            {COMMANDS.filter((command) => command.id !== 'commands').map((command) => (
              <Command.Item
                key={command.id}
                className={commandItem}
                onSelect={afterClose(() => commands.run(command.id))}
              >
                {command.label}
                <Kbd keys={command.keys[0]} className="ml-auto" />
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Go to a node" className={groupHeading}>
            {nodes.map((node) => (
              <Command.Item
                key={node.id}
                value={`go ${node.id} ${titleOf(node)}`}
                className={commandItem}
                onSelect={afterClose(() => revealNode(ui, node.id))}
              >
                {titleOf(node)} <span className="mono ml-auto text-faint">{node.id}</span>
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Add a node" className={groupHeading}>
            {paletteGroups().flatMap((group) =>
              group.types.map((type) => (
                <Command.Item
                  key={type.type}
                  value={`add ${type.title} ${type.type}`}
                  keywords={[...(type.aliases ?? [])]}
                  className={commandItem}
                  onSelect={afterClose(() => commands.addNode(type.type))}
                >
                  Add {type.title}
                </Command.Item>
              )),
            )}
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}
