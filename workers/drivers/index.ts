import type { Driver } from './driver';
import { createEmbeddedDriver } from './embedded';
import { createEndpointDriver } from './endpoint';
import type { DriverEnvironment } from './environment';
import { createLlamaServerDriver } from './llama-server';
import { createSimulatorDriver } from './simulator';

/** Every driver; the first that supports all components of a plan runs it. */
export const DRIVER_FACTORIES: readonly ((environment: DriverEnvironment) => Driver)[] = [
  createEndpointDriver,
  createEmbeddedDriver,
  createLlamaServerDriver,
  createSimulatorDriver,
];

export const createDrivers = (environment: DriverEnvironment): Driver[] =>
  DRIVER_FACTORIES.map((create) => create(environment));
