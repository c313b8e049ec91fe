'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { NodeType } from '@/server/core/catalog/node-type';
import { familyColor, type PaletteGroup, partsOf } from '../catalog';
import { DRAG_TYPE } from './drag-type';

interface PaletteFamilyProps {
  group: PaletteGroup;
  /** A search shows what it found, whatever is folded. */
  searching: boolean;
  onAdd: (type: string) => void;
}

/** One family; a long one in parts that start folded, so that the whole palette stays in sight. */
export function PaletteFamily({ group, searching, onAdd }: PaletteFamilyProps) {
  const [open, setOpen] = useState(true);
  const shown = open || searching;
  return (
    <section className="mt-1.5">
      <h2>
        <Fold open={shown} onToggle={() => setOpen(!open)} className="gap-1.5 px-1 text-dim">
          <span aria-hidden className="h-3 w-[3px] rounded-sm" style={{ background: familyColor(group.family) }} />
          <span className="flex-1">{group.title}</span>
        </Fold>
      </h2>
      {shown
        ? partsOf(group.types).map((part) =>
            part.group === null ? (
              <TypeList key="" types={part.types} onAdd={onAdd} />
            ) : (
              <PalettePart key={part.group} title={part.group} types={part.types} searching={searching} onAdd={onAdd} />
            ),
          )
        : null}
    </section>
  );
}

interface PalettePartProps {
  title: string;
  types: readonly NodeType[];
  searching: boolean;
  onAdd: (type: string) => void;
}

function PalettePart({ title, types, searching, onAdd }: PalettePartProps) {
  const [open, setOpen] = useState(false);
  const shown = open || searching;
  return (
    <section>
      <h3>
        <Fold open={shown} onToggle={() => setOpen(!open)} className="gap-1 pr-1 pl-3.5 text-faint">
          <span className="min-w-0 flex-1">{title}</span>
          {shown ? null : <span className="mono text-2xs">{types.length}</span>}
        </Fold>
      </h3>
      {shown ? <TypeList types={types} onAdd={onAdd} inset /> : null}
    </section>
  );
}

interface FoldProps {
  open: boolean;
  onToggle: () => void;
  className: string;
  children: React.ReactNode;
}

function Fold({ open, onToggle, className, children }: FoldProps) {
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={`flex w-full items-center rounded-sm py-0.5 text-left text-xs hover:text-ink ${className}`}
    >
      {children}
      <Chevron aria-hidden className="size-3 shrink-0" />
    </button>
  );
}

interface TypeListProps {
  types: readonly NodeType[];
  onAdd: (type: string) => void;
  inset?: boolean;
}

function TypeList({ types, onAdd, inset = false }: TypeListProps) {
  return (
    <ul>
      {types.map((type) => (
        <li key={type.type}>
          <button
            type="button"
            draggable
            title={type.summary}
            onDragStart={(event) => {
              event.dataTransfer.setData(DRAG_TYPE, type.type);
              event.dataTransfer.effectAllowed = 'copy';
            }}
            onClick={() => onAdd(type.type)}
            className={`w-full cursor-grab! rounded-sm py-0.5 pr-2 text-left leading-4 break-words hover:bg-grid active:cursor-grabbing! ${inset ? 'pl-5' : 'pl-3.5'}`}
          >
            {type.title}
          </button>
        </li>
      ))}
    </ul>
  );
}
