'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { Ago } from '@/app/_ui/ago';
import { countOf, formatDuration } from '@/app/_ui/format';
import { StampBadge } from '../stamp-badge';
import { StateBadge } from '../state-badge';
import type { ExperimentSummary } from '../views';

const ROW = 58;

interface Props {
  experiments: readonly ExperimentSummary[];
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
}

/** Only the rows in view are drawn; the next page is fetched before its place is reached. */
export function ExperimentRows({ experiments, hasMore, loadingMore, onMore }: Props) {
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: experiments.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
    getItemKey: (index) => experiments[index]?.id ?? index,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const wanted = hasMore && !loadingMore && last >= experiments.length - 10;
  useEffect(() => {
    if (wanted) onMore();
  }, [wanted, onMore]);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label="Experiments, newest first"
      className="min-h-40 flex-1 overflow-auto rounded-md border bg-panel"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start, key }) => {
          const experiment = experiments[index];
          return experiment ? (
            <li
              key={key}
              aria-setsize={hasMore ? -1 : experiments.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 border-b hover:bg-grid"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
            >
              <ExperimentRow experiment={experiment} />
            </li>
          ) : null;
        })}
      </ul>
      {loadingMore ? (
        <p role="status" className="px-3 py-2 text-dim">
          Loading more…
        </p>
      ) : null}
    </section>
  );
}

function sentence(experiment: ExperimentSummary): string {
  if (experiment.sentence) return experiment.sentence;
  const { state, blocksEnded, blockCount } = experiment;
  if (state === 'queued') return 'Waits for a worker.';
  if (state === 'running') return `Running, ${blocksEnded} of ${countOf(blockCount, 'block')} done.`;
  return 'Ended without a verdict.';
}

function ExperimentRow({ experiment }: { experiment: ExperimentSummary }) {
  const { startedAt, finishedAt } = experiment;
  const took = startedAt && finishedAt ? formatDuration((finishedAt.getTime() - startedAt.getTime()) / 1000) : null;
  return (
    <div className="grid h-full grid-cols-[1fr_auto] content-center gap-x-3 px-3">
      <Link href={`/experiments/${experiment.id}`} className="truncate font-medium underline-offset-2 hover:underline">
        {experiment.title} <span className="mono font-normal text-faint">#{experiment.number}</span>
      </Link>
      <span className="flex items-center gap-1.5">
        {experiment.stamp ? <StampBadge stamp={experiment.stamp} /> : null}
        <StateBadge state={experiment.state} />
      </span>
      <span className="truncate text-dim" title={sentence(experiment)}>
        {sentence(experiment)}
      </span>
      <span className="text-right text-xs whitespace-nowrap text-faint">
        {[countOf(experiment.armCount, 'plan'), took].filter(Boolean).join(' · ')}
        <span className="max-sm:hidden">
          {' · '}
          <Ago at={experiment.createdAt} />
          {experiment.createdBy ? ` · ${experiment.createdBy}` : ''}
        </span>
      </span>
    </div>
  );
}
