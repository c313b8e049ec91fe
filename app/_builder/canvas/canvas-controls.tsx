'use client';

import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { Minus, Plus } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { useCommands } from '../commands-context';

export function CanvasControls() {
  const flow = useReactFlow();
  const zoom = useStore((state) => state.transform[2]);
  const { run } = useCommands();
  return (
    <Panel position="bottom-left" className="flex items-center gap-1">
      <Button size="icon" aria-label="Zoom out" onClick={() => flow.zoomOut()}>
        <Minus aria-hidden />
      </Button>
      <Button className="mono w-14" aria-label="Zoom to 100 %" onClick={() => flow.zoomTo(1)}>
        {Math.round(zoom * 100)} %
      </Button>
      <Button size="icon" aria-label="Zoom in" onClick={() => flow.zoomIn()}>
        <Plus aria-hidden />
      </Button>
      <Button onClick={() => run('fit')}>Fit</Button>
      <Button className="max-sm:hidden" onClick={() => run('lay-out')}>
        Lay out
      </Button>
    </Panel>
  );
}
