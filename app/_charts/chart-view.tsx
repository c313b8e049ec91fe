'use client';

import { ChartLine, Table2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import type { ChartData } from './chart-data';
import { ChartExportMenu } from './chart-export-menu';
import { type ChartInput, loadText } from './chart-input';
import type { ChartSpec } from './chart-spec';
import { tableOf } from './chart-table';
import { ChartTableView } from './chart-table-view';
import { DrawBars } from './draw-bars';
import { DrawDots } from './draw-dots';
import { DrawFrontier } from './draw-frontier';
import { DrawLines } from './draw-lines';
import { armColor } from './palette';

interface ChartViewProps {
  spec: ChartSpec;
  run: ChartInput;
  baseline: number | null;
  /** E.g. "running · block 2 of 3 · 2 s ago"; null when nothing arrives any more. */
  status: string | null;
}

function Drawing({ data, unit }: { data: ChartData; unit: string }) {
  switch (data.kind) {
    case 'lines':
      return <DrawLines data={data} unit={unit} />;
    case 'bars':
      return <DrawBars data={data} />;
    case 'dots':
      return <DrawDots data={data} />;
    case 'frontier':
      return <DrawFrontier data={data} unit={unit} />;
  }
}

/** What the reader must know to read it, under the drawing. */
function captionOf(data: ChartData, run: ChartInput): string {
  const x = data.kind === 'lines' || data.kind === 'frontier' ? `→ ${data.x.label}` : null;
  const interval = data.kind === 'bars' ? data.intervalOf : null;
  return [x, data.note, interval, loadText(run.load)].filter(Boolean).join(' · ');
}

/** One chart: question, drawing (or the table behind it), how to read it, export. */
export function ChartView({ spec, run, baseline, status }: ChartViewProps) {
  const [asTable, setAsTable] = useState(false);
  const drawing = useRef<HTMLDivElement>(null);
  const data = useMemo(() => spec.prepare(run, baseline), [spec, run, baseline]);
  const table = useMemo(() => tableOf(data, spec.unit), [data, spec.unit]);
  const caption = captionOf(data, run);
  const legend = run.arms.map((arm) => ({
    label: arm.label,
    color: armColor(arm.index, arm.isBaseline),
    dashed: arm.isBaseline,
  }));
  return (
    <figure className="flex min-w-0 flex-col rounded-md border bg-panel px-3 pt-1.5 pb-1.5" data-chart={spec.id}>
      <div className="flex items-center gap-1">
        <h2 className="min-w-0 flex-1 truncate text-sm" title={spec.title}>
          {spec.title}
        </h2>
        {status ? <span className="text-xs whitespace-nowrap text-faint max-sm:hidden">{status}</span> : null}
        {data.empty ? null : (
          <>
            <Button
              tone="quiet"
              size="icon"
              className="size-6"
              aria-pressed={asTable}
              aria-label={asTable ? `Show the chart: ${spec.title}` : `Show the table: ${spec.title}`}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <ChartLine aria-hidden /> : <Table2 aria-hidden />}
            </Button>
            <ChartExportMenu
              id={spec.id}
              table={table}
              drawing={drawing}
              caption={{ title: `${spec.title} (${spec.unit})`, lines: [caption], legend }}
            />
          </>
        )}
      </div>
      {data.empty ? (
        <p className="grid min-h-40 flex-1 place-items-center px-6 text-center text-dim">{data.empty}</p>
      ) : (
        <>
          <p className="mono h-3.5 text-2xs! leading-3! text-faint">{spec.unit}</p>
          {asTable ? (
            <ChartTableView table={table} label={spec.title} />
          ) : (
            <div ref={drawing} className="group/chart min-w-0">
              <Drawing data={data} unit={spec.unit} />
            </div>
          )}
          <figcaption className="mt-0.5 text-2xs text-faint">{caption}</figcaption>
        </>
      )}
    </figure>
  );
}
