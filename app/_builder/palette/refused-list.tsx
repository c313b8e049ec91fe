'use client';

import { type RefusedTechnique, refusalSentence } from '@/server/core/catalog/refused-techniques';
import { findRefused } from '@/server/core/catalog/search-catalog';
import { nodeTypeOf } from '../catalog';

interface RefusedListProps {
  query: string;
  onAdd: (type: string) => void;
}

/** Techniques of that name without a node: why, where that is written, and what comes closest. */
export function RefusedList({ query, onAdd }: RefusedListProps) {
  const refused = findRefused(query);
  if (refused.length === 0) return null;
  return (
    <section aria-label="Techniques without a node" className="mt-2 grid gap-2 border-t px-1 pt-2">
      {refused.map((technique) => (
        <RefusedItem key={technique.id} technique={technique} onAdd={onAdd} />
      ))}
    </section>
  );
}

function RefusedItem({ technique, onAdd }: { technique: RefusedTechnique; onAdd: (type: string) => void }) {
  const instead = technique.instead.flatMap((type) => nodeTypeOf(type) ?? []);
  return (
    <div className="grid gap-1 text-xs text-dim">
      <p>{refusalSentence(technique)}</p>
      <p className="flex flex-wrap gap-x-2 gap-y-0.5">
        {technique.sources.map((url) => (
          <a key={url} href={url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
            {new URL(url).hostname.replace(/^www\./, '')}
          </a>
        ))}
      </p>
      {instead.length > 0 ? (
        <p className="flex flex-wrap items-center gap-1">
          Closest:
          {instead.map((type) => (
            <button
              key={type.type}
              type="button"
              title={type.summary}
              onClick={() => onAdd(type.type)}
              className="rounded-sm border border-line-strong px-1 text-ink hover:bg-grid"
            >
              {type.title}
            </button>
          ))}
        </p>
      ) : null}
    </div>
  );
}
