'use client';

import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Input } from '@/app/_ui/input';
import { Kbd } from '@/app/_ui/kbd';
import { paletteGroups } from '../catalog';
import { useCommands } from '../commands-context';
import { PaletteFamily } from './palette-family';
import { RefusedList } from './refused-list';

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
        <RefusedList query={query} onAdd={addNode} />
      </div>
    </aside>
  );
}
