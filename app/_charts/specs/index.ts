import type { ChartSpec } from '../chart-spec';
import { acceptance } from './acceptance';
import { cost } from './cost';
import { e2ePercentiles } from './e2e-percentiles';
import { frontier } from './frontier';
import { outputTokens } from './output-tokens';
import { quality } from './quality';
import { ratioOutputTokens } from './ratio-output-tokens';
import { ratioTpot } from './ratio-tpot';
import { ratioTtft } from './ratio-ttft';
import { tokensPerStep } from './tokens-per-step';
import { tpot } from './tpot';
import { tpotPercentiles } from './tpot-percentiles';
import { ttft } from './ttft';
import { ttftPercentiles } from './ttft-percentiles';

/** Every chart. A page names the ones that it shows by id. */
export const CHARTS: readonly ChartSpec[] = [
  outputTokens,
  ttft,
  cost,
  quality,
  tpot,
  acceptance,
  tokensPerStep,
  ratioOutputTokens,
  ratioTtft,
  ratioTpot,
  frontier,
  ttftPercentiles,
  tpotPercentiles,
  e2ePercentiles,
];
