'use client';

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { useUi } from './builder-context';
import { Canvas } from './canvas/canvas';
import { EmptyCanvas } from './canvas/empty-canvas';
import { Inspector } from './inspector/inspector';
import { Palette } from './palette/palette';

/** Palette, canvas, inspector; on a phone the palette is drawn over the canvas when asked for. */
export function GraphView() {
  const [palette, setPalette] = useState(true);
  const [overlay, setOverlay] = useState(false);
  const selected = useUi((state) => state.selectedNodes);
  // On a phone the palette lies over what was just added or chosen.
  useEffect(() => {
    if (selected.length > 0) setOverlay(false);
  }, [selected]);
  const toggle = () => {
    if (window.matchMedia('(min-width: 48rem)').matches) setPalette(!palette);
    else setOverlay(!overlay);
  };
  const Icon = palette ? PanelLeftClose : PanelLeftOpen;
  return (
    <div
      className={cn(
        'relative grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)]',
        palette ? 'md:grid-cols-[188px_minmax(0,1fr)_272px]' : 'md:grid-cols-[minmax(0,1fr)_272px]',
      )}
    >
      <div
        className={cn(
          'min-h-0 max-md:absolute max-md:inset-y-0 max-md:left-0 max-md:z-10 max-md:w-56 max-md:shadow-float',
          'grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]',
          !palette && 'md:hidden',
          !overlay && 'max-md:hidden',
        )}
      >
        <Palette />
      </div>
      <div className="relative min-h-0 min-w-0">
        <Canvas />
        <EmptyCanvas />
        <Button
          tone="quiet"
          size="icon"
          aria-label="Show or hide the node types"
          className="absolute top-2 left-2 z-5 bg-panel"
          onClick={toggle}
        >
          <Icon aria-hidden />
        </Button>
      </div>
      <Inspector />
    </div>
  );
}
