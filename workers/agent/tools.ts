import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ENGINES } from '@/server/core/engines/index';
import { detectDegenerate } from '@/server/core/quality/degenerate';
import { projectRoot } from '../embedded/project-root';
import { createCalibrations } from '../load/calibrations';
import { encodeRecords } from '../load/record-blob';
import { runLoad } from '../load/run-load';
import { createQualityTool } from '../quality/quality-tool';
import { startSampler } from '../telemetry/sampler';
import type { BlockTools } from './block-tools';
import { createReferenceCache } from './reference-cache';

/** The real tools of a block: load in its own process, quality on the held-out text beside the demo models. */
export function createBlockTools(workDir: string): BlockTools {
  const heldout = readFileSync(path.join(projectRoot(), 'workers/embedded/models/heldout.txt'), 'utf8');
  return {
    engines: ENGINES,
    runLoad,
    calibrate: createCalibrations(workDir),
    detectDegenerate,
    encodeRecords,
    startSampler: (enginePid) => startSampler(enginePid),
    quality: createQualityTool(heldout),
    references: createReferenceCache(),
    cores: availableParallelism(),
  };
}
