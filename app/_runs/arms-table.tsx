import { Crown, TriangleAlert } from 'lucide-react';
import { ArmSwatch } from '@/app/_charts/arm-swatch';
import { cn } from '@/app/_ui/cn';
import { ABSENT, decimalsFor, formatFixed } from '@/app/_ui/format';
import { metricInfo } from '@/app/_ui/metric-info';
import { NumberTd, Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { Tooltip } from '@/app/_ui/tooltip';
import type { Value } from '@/server/core/metrics/value';
import { type ArmRow, COMPARED, TABLE_METRICS, type TableMetric } from './arm-rows';
import { ChangeFigure } from './change-cell';

const HEADINGS: Record<TableMetric, string> = {
  outputTokensPerS: 'Output tok/s',
  ttftMsP50: 'TTFT p50 ms',
  tpotMsP50: 'TPOT p50 ms',
  tokensPerStep: 'Tokens a step',
  cpuMsPerOutputToken: 'CPU ms/token',
  costPerMillionOutputTokens: '$ / M tokens',
};

/** A column's name with its definition. */
function Heading({ text, definition }: { text: string; definition: string }) {
  return (
    <Tooltip content={definition}>
      <button type="button" className="cursor-help!">
        {text}
      </button>
    </Tooltip>
  );
}

function intervalText(value: Value, decimals: number): string {
  if (value.low === null || value.high === null) return `n = ${value.n}`;
  return `${formatFixed(value.low, decimals)} to ${formatFixed(value.high, decimals)}, n = ${value.n}`;
}

/** A figure; one that is not to be trusted is dim, with an asterisk and its reason. */
function Figure({ value, decimals, invalid }: { value: Value | null; decimals: number; invalid: string | null }) {
  if (!value || value.value === null) return <span className="text-faint">{ABSENT}</span>;
  const doubt = invalid ?? value.mark;
  return (
    <span className={cn(doubt && 'text-faint')} title={doubt ?? intervalText(value, decimals)}>
      {formatFixed(value.value, decimals)}
      {doubt ? <span aria-hidden>*</span> : null}
      {doubt ? <span className="sr-only"> not certain: {doubt}</span> : null}
    </span>
  );
}

function PlanCell({ row }: { row: ArmRow }) {
  return (
    <Td className="whitespace-nowrap">
      <ArmSwatch arm={row.arm} isBaseline={row.isBaseline} />
      {row.label}
      {row.isBaseline ? <span className="text-faint"> baseline</span> : null}
      {row.invalid ? (
        <span title={row.invalid}>
          <TriangleAlert aria-label={`not valid: ${row.invalid}`} className="ml-1 inline size-3.5 text-warn" />
        </span>
      ) : null}
    </Td>
  );
}

function VerdictCell({ row }: { row: ArmRow }) {
  if (row.isBaseline) return <Td className="text-right text-faint">{ABSENT}</Td>;
  return (
    <Td
      className={cn(
        'text-right whitespace-nowrap',
        row.verdict.tone === 'better' && 'text-better',
        row.verdict.tone === 'worse' && 'text-worse',
      )}
    >
      {row.verdict.word || <span className="text-faint">{ABSENT}</span>}
      {row.crown ? (
        <span title={`Best: ${row.crown}`}>
          <Crown aria-label={`best: ${row.crown}`} className="ml-1 inline size-3.5" />
        </span>
      ) : null}
    </Td>
  );
}

/** One row a plan. Every figure has its change against the baseline where it was compared. */
export function ArmsTable({ rows }: { rows: readonly ArmRow[] }) {
  const scaled = (row: ArmRow, key: TableMetric) => row.values[key]?.value ?? null;
  const decimals = Object.fromEntries(
    TABLE_METRICS.map((key) => [key, decimalsFor(rows.map((row) => scaled(row, key)))]),
  ) as Record<TableMetric, number>;
  const klDecimals = decimalsFor(rows.map((row) => row.kl));
  return (
    <Table label="Plans compared">
      <Thead>
        <Tr>
          <Th>Plan</Th>
          {TABLE_METRICS.flatMap((key) => [
            <Th key={key} className="text-right">
              <Heading text={HEADINGS[key]} definition={metricInfo(key).definition} />
            </Th>,
            COMPARED.has(key) ? (
              <Th key={`${key}-change`} className="pl-0 text-right">
                <span className="sr-only">{HEADINGS[key]} against the baseline</span>
              </Th>
            ) : null,
          ])}
          <Th className="text-right">
            <Heading
              text="KL"
              definition="How far the plan's token probabilities are from the baseline's, on held-out text. 0 means the same."
            />
          </Th>
          <Th className="text-right">Blocks</Th>
          <Th className="text-right">Verdict</Th>
        </Tr>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={row.arm} className={row.isBaseline ? 'bg-grid' : undefined} data-arm={row.label}>
            <PlanCell row={row} />
            {TABLE_METRICS.flatMap((key) => [
              <NumberTd key={key}>
                <Figure value={row.values[key]} decimals={decimals[key]} invalid={row.invalid} />
              </NumberTd>,
              COMPARED.has(key) ? (
                <NumberTd key={`${key}-change`} className="pl-0">
                  <ChangeFigure change={row.changes[key]} />
                </NumberTd>
              ) : null,
            ])}
            <NumberTd>
              {row.kl === null ? <span className="text-faint">{ABSENT}</span> : formatFixed(row.kl, klDecimals)}
            </NumberTd>
            <NumberTd>
              {row.blocksDone} / {row.blocks}
            </NumberTd>
            <VerdictCell row={row} />
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
