import type { NodeType } from '../node-type';
import { engine } from './engine';
import { hardware } from './hardware';
import { model } from './model';
import { workload } from './workload';

/** What an experiment starts from, in the order of the palette. */
export const SOURCES: readonly NodeType[] = [model, hardware, workload, engine];
