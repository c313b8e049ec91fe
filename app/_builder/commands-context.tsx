'use client';

import { createContext, type ReactNode, use } from 'react';
import type { CommandId } from './commands';

export interface Commands {
  run(id: CommandId): void;
  /** Adds a node of a type in the middle of what is seen. */
  addNode(type: string): void;
}

const CommandsContext = createContext<Commands | null>(null);

export function CommandsProvider({ value, children }: { value: Commands; children: ReactNode }) {
  return <CommandsContext value={value}>{children}</CommandsContext>;
}

export function useCommands(): Commands {
  const commands = use(CommandsContext);
  if (!commands) throw new Error('useCommands outside of CommandsProvider');
  return commands;
}
