import { loadText } from '@/app/_charts/chart-input';
import type { StreamStatus } from '@/app/_trpc/shared-stream';
import { cn } from '@/app/_ui/cn';
import { formatAgo, formatBytes, formatDuration } from '@/app/_ui/format';
import type { Host } from '@/server/core/run/trial';
import type { Workload } from '@/server/core/workload/workload';
import type { LiveState } from './live-state';
import { type Progress, progressText } from './progress';
import type { ExperimentDetail } from './views';

interface VerdictProps {
  detail: ExperimentDetail;
  live: LiveState;
  progress: Progress;
  status: StreamStatus;
  running: boolean;
  workload: Workload | undefined;
  now: Date | null;
}

/** A sentence of more characters is set smaller, so that the charts stay in view. */
const LONG = 140;
/** The report repeats it among its notes, for readers of the file. */
const DEMO = 'demo model: shows the method, not your gain';

/** The report's sentence; before there is one, what the page waits for. */
function sentenceOf(detail: ExperimentDetail, live: LiveState): string {
  const { state } = live.experiment;
  if (detail.report?.sentence) return detail.report.sentence;
  if (detail.sentence) return detail.sentence;
  if (state === 'queued') return 'Waiting for a worker that can run these plans.';
  if (state === 'running') return 'Running. The first figures appear when a trial has ended.';
  if (state === 'cancelled') return 'Cancelled before a trial had ended.';
  return 'No trial gave a figure. The Trials tab says why.';
}

const hostText = (host: Host | null): string | null =>
  host && `${host.cpuModel}, ${host.cores} cores, ${formatBytes(host.memoryBytes)}`;

function engineText(detail: ExperimentDetail): string {
  const engines = detail.spec.arms.flatMap((plan) =>
    plan.components.map((c) => [c.engine, c.engineVersion, c.runtime].filter(Boolean).join(' ')),
  );
  return [...new Set(engines)].join(', ');
}

/** What is going on right now, in words: never "done" while something is missing. */
function nowText({ live, progress, status, running, now, detail }: VerdictProps): string {
  const text = progressText(live, progress);
  if (!running) return text;
  const current = progress.current;
  const label = current ? detail.spec.arms[current.arm]?.label : null;
  const doing = current && label ? `${label} ${current.state}` : null;
  const left = progress.secondsLeft === null ? null : `${formatDuration(progress.secondsLeft)} left`;
  const cancelling = detail.cancelRequested ? 'cancelling' : null;
  const ago = live.lastEventAt && now ? formatAgo(new Date(live.lastEventAt), now) : null;
  const connection = status === 'reconnecting' ? 'reconnecting' : status === 'connecting' ? 'connecting' : ago;
  return [text, doing, left, cancelling, connection].filter(Boolean).join(' · ');
}

/** The verdict in a sentence, what it stands on, and how far the run is. */
export function Verdict(props: VerdictProps) {
  const { detail, live, progress, running, status, workload } = props;
  const sentence = sentenceOf(detail, live);
  const facts = [
    workload && `${workload.title}, ${loadText(workload.loads[0] ?? { mode: 'closed', concurrency: 1 })}`,
    hostText(detail.host),
    engineText(detail),
    `seed ${detail.spec.seed}`,
  ];
  return (
    <section aria-label="Verdict" className="grid gap-1">
      <p
        className={cn('text-pretty', sentence.length > LONG ? 'text-base' : 'text-[17px] leading-6')}
        data-testid="verdict"
      >
        {sentence}
      </p>
      <p className="text-xs text-dim">
        <span role="status" data-testid="progress" data-connection={running ? status : 'closed'}>
          {nowText(props)}
        </span>
        {' · '}
        {facts.filter(Boolean).join(' · ')}
        {detail.spec.demo ? (
          <>
            {' · '}
            <strong className="font-medium text-warn">{DEMO}</strong>
          </>
        ) : null}
      </p>
      {detail.report?.notes
        .filter((note) => note !== DEMO)
        .map((note) => (
          <p key={note} className="text-xs text-warn">
            {note}
          </p>
        ))}
      <ProgressBar progress={progress} running={running} />
    </section>
  );
}

function ProgressBar({ progress, running }: { progress: Progress; running: boolean }) {
  if (!running) return null;
  return (
    <div
      role="progressbar"
      aria-label="Trials ended"
      aria-valuemin={0}
      aria-valuemax={progress.planned}
      aria-valuenow={progress.ended}
      className="mt-1 h-[3px] overflow-hidden rounded-full bg-grid"
    >
      <div className="h-full bg-accent transition-[width]" style={{ width: `${progress.share * 100}%` }} />
    </div>
  );
}
