'use client';

import { Command } from 'cmdk';
import { useState } from 'react';
import { Dialog } from '@/app/_ui/dialog';
import type { NodeType } from '@/server/core/catalog/node-type';
import { refusalSentence } from '@/server/core/catalog/refused-techniques';
import { findNodeTypes, findRefused } from '@/server/core/catalog/search-catalog';
import { useBuilder, useUi } from '../builder-context';
import { nodeTypeOf, paletteGroups } from '../catalog';
import { portForNewNode } from '../connect-rules';
import { FamilyIcon } from '../family-icon';
import { addNewNode } from '../new-node';
import type { NodeSearch as Search } from '../ui-store';
import { commandInput, commandItem, commandList, groupHeading } from './command-style';

/** Opens on a double-click, and where an edge was dropped on empty canvas: then only what can take it is listed. */
export function NodeSearch() {
  const { ui } = useBuilder();
  const search = useUi((state) => state.search);
  if (!search) return null;
  return (
    <Dialog
      open
      onOpenChange={() => ui.setState({ search: null })}
      title={search.from ? 'Add a node to this port' : 'Add a node'}
    >
      <SearchList search={search} />
    </Dialog>
  );
}

function SearchList({ search }: { search: Search }) {
  const builder = useBuilder();
  const [query, setQuery] = useState('');
  const { pipeline } = builder.document.store.getState();
  const fits = (type: NodeType): boolean =>
    search.from === null ||
    portForNewNode(pipeline, search.from, { id: '\u0000new', type: type.type, params: {} }) !== null;
  // Unsearched, the list stands by families; a search puts the closest match first, whatever its family.
  const families = paletteGroups().map((group) => ({ ...group, types: group.types.filter(fits) }));
  const some = families.some((group) => group.types.length > 0);
  const searching = query.trim() !== '';
  const found = searching ? findNodeTypes(query).filter(fits) : [];
  const add = (type: NodeType) => {
    addNewNode(builder, { type: type.type, at: search.at, from: search.from });
    builder.ui.setState({ search: null });
  };
  const origin = search.from ? pipeline.nodes.find((node) => node.id === search.from?.node) : null;
  return (
    <Command label="Node types" shouldFilter={false} className="-mx-4 -my-3">
      <Command.Input
        autoFocus
        placeholder="Search nodes"
        className={commandInput}
        value={query}
        onValueChange={setQuery}
      />
      <Command.List className={commandList}>
        <Command.Empty className="px-2 py-3 text-dim">
          {some
            ? 'No node matches.'
            : `Nothing can be connected here${origin ? ` (${nodeTypeOf(origin.type)?.title ?? origin.type})` : ''}.`}
        </Command.Empty>
        {searching
          ? found.map((type) => <TypeItem key={type.type} type={type} onAdd={add} />)
          : families.map((group) =>
              group.types.length === 0 ? null : (
                <Command.Group key={group.family} heading={group.title} className={groupHeading}>
                  {group.types.map((type) => (
                    <TypeItem key={type.type} type={type} onAdd={add} />
                  ))}
                </Command.Group>
              ),
            )}
        {findRefused(query).map((refused) => (
          <p key={refused.id} className="px-2 py-1 text-xs text-dim">
            {refusalSentence(refused)}
          </p>
        ))}
      </Command.List>
    </Command>
  );
}

function TypeItem({ type, onAdd }: { type: NodeType; onAdd: (type: NodeType) => void }) {
  return (
    <Command.Item value={`${type.title} ${type.type}`} onSelect={() => onAdd(type)} className={commandItem}>
      <FamilyIcon family={type.family} type={type.type} />
      <span className="shrink-0">{type.title}</span>
      <span className="ml-auto min-w-0 truncate text-xs text-faint">{type.summary}</span>
    </Command.Item>
  );
}
