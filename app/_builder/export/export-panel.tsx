'use client';

import { serializePipeline } from '@/server/core/pipeline/parse';
import { useDocument } from '../builder-context';
import { ExportedFile } from './exported-file';

export function ExportPanel() {
  const pipeline = useDocument((state) => state.pipeline);
  return <ExportedFile path="pipeline.json" content={serializePipeline(pipeline)} />;
}
