import { ArmSwatch } from '@/app/_charts/arm-swatch';
import { cn } from '@/app/_ui/cn';
import { ABSENT, decimalsFor, formatDuration, formatFixed } from '@/app/_ui/format';
import { NumberTd, Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import type { LiveState, LiveTrial } from './live-state';
import { StateBadge } from './state-badge';
import type { ExperimentDetail } from './views';

const metric = (trial: LiveTrial, key: string): number | null => trial.points[0]?.metrics[key]?.value ?? null;

const lasted = (trial: LiveTrial): number | null =>
  trial.startedAt && trial.endedAt ? (Date.parse(trial.endedAt) - Date.parse(trial.startedAt)) / 1000 : null;

function Validity({ trial }: { trial: LiveTrial }) {
  if (trial.superseded) return <span className="text-faint">superseded: its block was run again</span>;
  if (trial.cause) return <span className="text-error">{trial.cause.message}</span>;
  if (trial.valid === null) return <span className="text-faint">{ABSENT}</span>;
  const word = trial.valid ? 'valid' : 'not valid';
  return (
    <span className={cn(trial.valid ? 'text-dim' : 'text-warn')}>
      {word}
      {trial.reasons.length > 0 ? `: ${trial.reasons.join('; ')}` : ''}
    </span>
  );
}

interface Props {
  detail: ExperimentDetail;
  live: LiveState;
  onOpen: (trialId: string) => void;
}

/** Every trial in the order of its block, those of earlier attempts too. */
export function TrialsTab({ detail, live, onOpen }: Props) {
  const order = new Map(detail.trials.map((trial, index) => [trial.id, index]));
  const trials = Object.values(live.trials).sort(
    (a, b) => a.block - b.block || a.attempt - b.attempt || (order.get(a.id) ?? 1e9) - (order.get(b.id) ?? 1e9),
  );
  const column = (key: string) => decimalsFor(trials.map((t) => metric(t, key)));
  const decimals = { tokens: column('outputTokensPerS'), ttft: column('ttftMsP50'), tpot: column('tpotMsP50') };
  return (
    <Table label="Trials">
      <Thead>
        <Tr>
          <Th className="text-right">Block</Th>
          <Th>Plan</Th>
          <Th>State</Th>
          <Th className="text-right">Output tok/s</Th>
          <Th className="text-right">TTFT p50 ms</Th>
          <Th className="text-right">TPOT p50 ms</Th>
          <Th className="text-right">Took</Th>
          <Th>Validity</Th>
          <Th>Worker</Th>
        </Tr>
      </Thead>
      <Tbody>
        {trials.map((trial) => {
          const plan = detail.spec.arms[trial.arm];
          return (
            <Tr key={trial.id} className={cn('hover:bg-grid', trial.superseded && 'text-faint')}>
              <NumberTd>
                {trial.block + 1}
                {trial.attempt > 1 ? <span className="text-faint"> try {trial.attempt}</span> : null}
              </NumberTd>
              <Td className="whitespace-nowrap">
                <ArmSwatch arm={trial.arm} isBaseline={plan?.isBaseline ?? false} />
                <button type="button" className="underline-offset-2 hover:underline" onClick={() => onOpen(trial.id)}>
                  {plan?.label ?? `plan ${trial.arm}`}
                </button>
              </Td>
              <Td>
                <StateBadge state={trial.state} />
              </Td>
              <NumberTd>{formatFixed(metric(trial, 'outputTokensPerS'), decimals.tokens)}</NumberTd>
              <NumberTd>{formatFixed(metric(trial, 'ttftMsP50'), decimals.ttft)}</NumberTd>
              <NumberTd>{formatFixed(metric(trial, 'tpotMsP50'), decimals.tpot)}</NumberTd>
              <NumberTd>{formatDuration(lasted(trial))}</NumberTd>
              <Td className="min-w-56">
                <Validity trial={trial} />
              </Td>
              <Td className="whitespace-nowrap text-dim">{trial.worker ?? ABSENT}</Td>
            </Tr>
          );
        })}
      </Tbody>
    </Table>
  );
}
