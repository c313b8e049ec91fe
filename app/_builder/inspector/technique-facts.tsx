'use client';

import { ExternalLink } from 'lucide-react';
import { Badge } from '@/app/_ui/badge';
import { Term } from '@/app/_ui/term';
import type { TechniqueFacts as Facts, LossClass } from '@/server/core/catalog/node-type';

export const LOSS_WORDS: Readonly<Record<LossClass, string>> = {
  none: 'lossless',
  'under-1-percent': 'loss under 1 %',
  '1-to-3-percent': 'loss 1–3 %',
  'over-3-percent': 'loss over 3 %',
  lossy: 'lossy',
};

/** What a technique costs, when it pays and when it hurts. */
export function TechniqueFacts({ facts, loss }: { facts: Facts; loss: LossClass }) {
  return (
    <section aria-label="About this technique" className="grid grid-cols-[minmax(0,1fr)] gap-2 text-xs">
      <div className="flex flex-wrap gap-1">
        <Badge>{LOSS_WORDS[loss]}</Badge>
        <Badge tone={facts.maturity === 'evolving' ? 'warn' : 'neutral'}>{facts.maturity}</Badge>
        {facts.helps.map((what) => (
          <Badge key={what}>
            <Term name={what} />
          </Badge>
        ))}
      </div>
      <dl className="grid gap-1">
        <div>
          <dt className="text-faint">Suits</dt>
          <dd>{facts.suits}</dd>
        </div>
        <div>
          <dt className="text-faint">Hurts when</dt>
          <dd>{facts.hurtsWhen}</dd>
        </div>
      </dl>
      {facts.references.map((url) => (
        <a
          key={url}
          href={url}
          target="_blank"
          rel="noreferrer"
          className="flex items-center gap-1 text-accent underline-offset-2 hover:underline"
        >
          <ExternalLink aria-hidden className="size-3 shrink-0" />
          <span className="truncate">{url.replace(/^https?:\/\//, '')}</span>
        </a>
      ))}
    </section>
  );
}
