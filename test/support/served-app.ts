import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { launchApp } from './launcher';

/** Playwright's global setup: one served app for all journeys, on a fresh data folder; ends with the run. */
export default async function servedApp(): Promise<() => Promise<void>> {
  const data = resolve(process.env.INFERLOOM_DATA_DIR ?? '.data-test', 'journeys');
  rmSync(data, { recursive: true, force: true });
  // A short lease: what a killed worker held is free again soon.
  const app = await launchApp({ data, env: { INFERLOOM_LEASE_MS: '8000' } });
  process.env.INFERLOOM_JOURNEY_DATA = data;
  process.env.INFERLOOM_BASE = app.base;
  process.env.INFERLOOM_OWNER_LINK = app.ownerLink ?? '';
  process.env.INFERLOOM_LAUNCHER_PID = String(app.pid);
  return async () => {
    const code = await app.stop();
    writeFileSync(resolve(data, 'launcher.log'), app.output());
    if (code !== 0) throw new Error(`the launcher ended with ${code}`);
  };
}
