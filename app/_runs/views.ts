import type { ApiOutputs } from '@/app/_trpc/api';

export type ExperimentDetail = ApiOutputs['experiments']['get'];
export type ExperimentSummary = ApiOutputs['experiments']['list']['items'][number];
export type TrialDetail = ApiOutputs['experiments']['trial'];
export type StoredSeconds = ApiOutputs['experiments']['seconds'];
