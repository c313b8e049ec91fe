import type { Plan } from '@/server/core/plan/plan';
import type { Driver, RunningEngine } from '../drivers/driver';
import { LaunchError } from '../drivers/launch-error';

/** An engine with what the trials on it need to know. */
export interface EngineHold {
  engine: RunningEngine;
  driver: Driver;
  /** True where an engine of an earlier trial goes on after a cache reset. */
  isReused: boolean;
}

/** At most one engine at a time: adjacent trials of one launchHash share its start after a cache reset. */
export class EngineSession {
  private current: { launchHash: string; engine: RunningEngine; driver: Driver; hasEnded: boolean } | null = null;
  /** Baselines with a reference started beside the trials' engine would disturb it: the session stops it before. */
  constructor(private readonly drivers: readonly Driver[]) {}

  /** The engine that runs now; null between trials. */
  running(): RunningEngine | null {
    return this.current?.engine ?? null;
  }

  /** Which driver runs a plan. Throws LaunchError where this host has none. */
  driverOf(plan: Plan): Driver {
    const driver = this.drivers.find((d) => plan.components.every((c) => d.supports(c)));
    if (driver !== undefined) return driver;
    const names = plan.components.map((c) => (c.runtime === null ? c.engine : `${c.engine} (${c.runtime})`));
    throw new LaunchError('engine-not-found', `this worker has no driver for ${names.join(' + ')}`, {
      logTail: [],
      command: plan.components[0]?.argv ?? [],
    });
  }

  /** Whether `acquire` would go on with the engine that runs. */
  canReuse(plan: Plan): boolean {
    return this.current !== null && !this.current.hasEnded && this.current.launchHash === plan.launchHash;
  }

  /** A running engine for the plan, with empty caches. `files` come from the driver's `prepare`. */
  async acquire(
    plan: Plan,
    files: Record<string, string>,
    log: (line: string) => void,
    signal: AbortSignal,
  ): Promise<EngineHold> {
    const current = this.current;
    if (current !== null && this.canReuse(plan) && (await current.engine.resetCaches().catch(() => false))) {
      return { engine: current.engine, driver: current.driver, isReused: true };
    }
    await this.stop();
    const driver = this.driverOf(plan);
    const engine = await driver.start(plan, files, log, signal);
    const started = { launchHash: plan.launchHash, engine, driver, hasEnded: false };
    void engine.exited.then(() => {
      started.hasEnded = true;
    });
    this.current = started;
    return { engine, driver, isReused: false };
  }

  /** Stops the engine, if one runs. */
  async stop(): Promise<void> {
    const engine = this.current?.engine;
    this.current = null;
    await engine?.stop();
  }
}
