'use client';

import { Download } from 'lucide-react';
import type { RefObject } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_ui/button';
import { download } from '@/app/_ui/download';
import { Menu, MenuItem } from '@/app/_ui/menu';
import { type ChartTable, csvOf, jsonOf } from './chart-table';
import { type Caption, pngOf } from './export-png';

interface Props {
  id: string;
  table: ChartTable;
  caption: Caption;
  /** Holds the drawing; empty while the table is shown. */
  drawing: RefObject<HTMLDivElement | null>;
}

/** CSV, JSON and PNG of exactly what the chart shows. */
export function ChartExportMenu({ id, table, caption, drawing }: Props) {
  const png = async () => {
    const svg = drawing.current?.querySelector<SVGSVGElement>('svg.recharts-surface');
    if (!svg) return toast.error('Show the chart first, then save its picture.');
    try {
      download(`${id}.png`, await pngOf(svg, caption));
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'The picture could not be made.');
    }
  };
  return (
    <Menu
      trigger={
        <Button tone="quiet" size="icon" className="size-6" aria-label={`Export: ${caption.title}`}>
          <Download aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => download(`${id}.csv`, csvOf(table), 'text/csv;charset=utf-8')}>CSV</MenuItem>
      <MenuItem onSelect={() => download(`${id}.json`, jsonOf(table), 'application/json')}>JSON</MenuItem>
      <MenuItem onSelect={png}>PNG</MenuItem>
    </Menu>
  );
}
