/** What the keyboard and the command palette can do beside drawing. The edits themselves are in `actions/`. */
export const COMMANDS = [
  { id: 'run', label: 'Run the pipeline', keys: ['Ctrl Enter'], inFields: true },
  { id: 'save-version', label: 'Save a version', keys: ['Ctrl S'], inFields: true },
  { id: 'commands', label: 'Command palette', keys: ['Ctrl K'], inFields: true },
  { id: 'undo', label: 'Undo', keys: ['Ctrl Z'], inFields: false },
  { id: 'redo', label: 'Redo', keys: ['Ctrl Shift Z', 'Ctrl Y'], inFields: false },
  { id: 'search', onGraph: true, label: 'Search nodes', keys: ['/'], inFields: false },
  { id: 'add', label: 'Add a node', keys: ['A'], inFields: false },
  { id: 'bypass', onGraph: true, label: 'Bypass the selection', keys: ['Ctrl B'], inFields: false },
  { id: 'duplicate', onGraph: true, label: 'Duplicate the selection', keys: ['Ctrl D'], inFields: false },
  { id: 'remove', onGraph: true, label: 'Delete the selection', keys: ['Delete', 'Backspace'], inFields: false },
  { id: 'select-all', onGraph: true, label: 'Select all', keys: ['Ctrl A'], inFields: false },
  { id: 'copy', label: 'Copy the selection', keys: ['Ctrl C'], inFields: false, native: true },
  { id: 'cut', label: 'Cut the selection', keys: ['Ctrl X'], inFields: false, native: true },
  { id: 'paste', label: 'Paste nodes, a command line or a manifest', keys: ['Ctrl V'], inFields: false, native: true },
  { id: 'lay-out', onGraph: true, label: 'Lay out the graph', keys: ['L'], inFields: false },
  { id: 'fit', onGraph: true, label: 'Fit the graph into view', keys: ['Ctrl 1'], inFields: false },
  { id: 'export', label: 'Export…', keys: ['E'], inFields: false },
  { id: 'keys', label: 'Show the keys', keys: ['?'], inFields: false },
] as const satisfies readonly CommandInfo[];

interface CommandInfo {
  id: string;
  label: string;
  keys: readonly string[];
  /** Works while a text field has the focus, too. */
  inFields: boolean;
  /** Only where the graph is seen: the selection is out of sight elsewhere. */
  onGraph?: boolean;
  /** The browser sends an event of its own for these keys (copy, cut, paste). */
  native?: boolean;
}

export type CommandId = (typeof COMMANDS)[number]['id'];

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether the pressed keys are the chord, e.g. `Ctrl Shift Z`. Ctrl is also ⌘. A printed sign (`?`, `/`) ignores Shift. */
export function isChord(event: Pressed, chord: string): boolean {
  const parts = chord.split(' ');
  const key = parts.at(-1) ?? '';
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes('Ctrl') &&
    (isSign || event.shiftKey === parts.includes('Shift')) &&
    !event.altKey
  );
}

/** The command for the pressed keys; in a text field, and where the graph is not seen, only those that make sense there. */
export function commandFor(event: Pressed, inField: boolean, graphSeen = true): CommandId | null {
  const found = COMMANDS.find(
    (command) =>
      !('native' in command) &&
      (!inField || command.inFields) &&
      (graphSeen || !('onGraph' in command)) &&
      command.keys.some((chord) => isChord(event, chord)),
  );
  return found?.id ?? null;
}
