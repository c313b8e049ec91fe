'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { CopyButton } from '@/app/_ui/copy-button';
import { download } from '@/app/_ui/download';
import { Problem } from '@/app/_ui/problem';
import { CauseView } from './cause-view';
import { EffectiveTable } from './effective-table';
import type { LiveState, LiveTrial } from './live-state';
import { PhaseList } from './phase-list';
import { StateBadge } from './state-badge';
import type { ExperimentDetail, TrialDetail } from './views';

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="text-xs text-dim">{title}</h3>
      {children}
    </section>
  );
}

/** How it stands, why it is not valid, why it failed. */
function Outcome({ trial, now, detail }: { trial: TrialDetail; now: LiveTrial | undefined; detail: ExperimentDetail }) {
  const { outcome } = trial;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-dim">
        <StateBadge state={now?.state ?? trial.state} />
        <span>
          {[
            trial.superseded ? 'superseded: its block was run again' : null,
            outcome ? (outcome.valid ? 'valid' : 'not valid') : null,
            trial.worker ? `on ${trial.worker}` : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="ml-auto" />
        <RawDownload trial={trial} />
      </p>
      {outcome && outcome.reasons.length > 0 ? (
        <ul className="list-disc pl-5 text-dim">
          {outcome.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      {outcome?.cause ? (
        <Problem title="It failed.">
          <CauseView cause={outcome.cause} pipelineId={detail.pipelineId} />
        </Problem>
      ) : null}
    </>
  );
}

function Command({ argv }: { argv: readonly string[] }) {
  if (argv.length === 0) return <p className="text-dim">Known when the trial has ended.</p>;
  const text = argv.join(' ');
  return (
    <div className="grid gap-1">
      <pre className="max-h-40 overflow-auto rounded-md border bg-bg p-2 whitespace-pre-wrap">{text}</pre>
      <div>
        <CopyButton text={text} label="Copy the command" />
      </div>
    </div>
  );
}

/** What the server holds of a trial, and what the stream has added to it since. */
export function TrialBody({ trial, detail, live }: { trial: TrialDetail; detail: ExperimentDetail; live: LiveState }) {
  const now = live.trials[trial.id];
  const stored = trial.phases.map((p) => ({ phase: p.phase, at: p.at.toISOString(), detail: p.detail }));
  const phases = now && now.phases.length > stored.length ? now.phases : stored;
  const effective = now && now.effective.length > 0 ? now.effective : trial.effective;
  const logTail = now && now.logTail.length > trial.logTail.length ? now.logTail : trial.logTail;
  return (
    <div className="grid gap-4">
      <Outcome trial={trial} now={now} detail={detail} />
      <Section title="Phases">
        <PhaseList phases={phases} end={now?.endedAt ?? null} />
      </Section>
      <Section title="Command">
        <Command argv={trial.outcome?.command ?? []} />
      </Section>
      <Section title="Effective configuration">
        <EffectiveTable rows={effective} pipelineId={detail.pipelineId} />
      </Section>
      <Section title="End of the log">
        {logTail.length > 0 ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <pre tabIndex={0} className="max-h-64 overflow-auto rounded-md border bg-bg p-2 whitespace-pre-wrap">
            {logTail.join('\n')}
          </pre>
        ) : (
          <p className="text-dim">Nothing logged.</p>
        )}
      </Section>
    </div>
  );
}

/** The trial as the server holds it, with its one-second rows. */
function RawDownload({ trial }: { trial: TrialDetail }) {
  const trpc = useTRPC();
  const seconds = useQuery(trpc.experiments.seconds.queryOptions({ id: trial.id }));
  return (
    <Button
      size="sm"
      disabled={!seconds.data}
      onClick={() =>
        download(
          `trial-${trial.id}.json`,
          JSON.stringify({ trial, seconds: seconds.data }, null, 2),
          'application/json',
        )
      }
    >
      Raw data (JSON)
    </Button>
  );
}
