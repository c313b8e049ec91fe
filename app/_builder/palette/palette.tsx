'use client';

import { ChevronDown, ChevronRight, Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Input } from '@/app/_ui/input';
import { Kbd } from '@/app/_ui/kbd';
import type { NodeType } from '@/server/core/catalog/node-type';
import { familyColor, type PaletteGroup, paletteGroups } from '../catalog';
import { useCommands } from '../commands-context';
import { DRAG_TYPE } from './drag-type';

export const PALETTE_SEARCH_ID = 'palette-search';

/** Node types by family: drag onto the canvas, click or Enter adds in the middle of what is seen. */
export function Palette() {
  const [query, setQuery] = useState('');
  const { addNode } = useCommands();
  const groups = paletteGroups(query);
  const addFirst = (event: KeyboardEvent) => {
    const first = groups[0]?.types[0];
    if (event.key !== 'Enter' || query === '' || !first) return;
    addNode(first.type);
    setQuery('');
  };
  return (
    <aside aria-label="Node types" className="flex min-h-0 flex-col border-r bg-panel">
      <search className="relative p-2">
        <Search aria-hidden className="absolute top-3.5 left-4 size-4 text-faint" />
        <Input
          id={PALETTE_SEARCH_ID}
          type="search"
          aria-label="Search nodes"
          placeholder="Search nodes"
          className="pr-7 pl-7"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={addFirst}
        />
        <Kbd keys="/" className="absolute top-3.5 right-4" />
      </search>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {groups.map((group) => (
          <PaletteFamily key={group.family} group={group} onAdd={addNode} searching={query !== ''} />
        ))}
        {groups.length === 0 ? <p className="px-2 py-3 text-dim">No node matches “{query}”.</p> : null}
      </div>
    </aside>
  );
}

interface PaletteFamilyProps {
  group: PaletteGroup;
  searching: boolean;
  onAdd: (type: string) => void;
}

function PaletteFamily({ group, searching, onAdd }: PaletteFamilyProps) {
  const [open, setOpen] = useState(true);
  const shown = open || searching;
  const Chevron = shown ? ChevronDown : ChevronRight;
  return (
    <section className="mt-1.5">
      <h2>
        <button
          type="button"
          aria-expanded={shown}
          onClick={() => setOpen(!open)}
          className="flex w-full items-center gap-1.5 rounded-sm px-1 py-0.5 text-left text-xs text-dim hover:text-ink"
        >
          <span aria-hidden className="h-3 w-[3px] rounded-sm" style={{ background: familyColor(group.family) }} />
          <span className="flex-1">{group.title}</span>
          <Chevron aria-hidden className="size-3" />
        </button>
      </h2>
      {shown ? (
        <ul>
          {group.types.map((type) => (
            <PaletteItem key={type.type} type={type} onAdd={onAdd} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function PaletteItem({ type, onAdd }: { type: NodeType; onAdd: (type: string) => void }) {
  return (
    <li>
      <button
        type="button"
        draggable
        title={type.summary}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAG_TYPE, type.type);
          event.dataTransfer.effectAllowed = 'copy';
        }}
        onClick={() => onAdd(type.type)}
        className="w-full cursor-grab! truncate rounded-sm py-0.5 pr-2 pl-3.5 text-left hover:bg-grid active:cursor-grabbing!"
      >
        {type.title}
      </button>
    </li>
  );
}
