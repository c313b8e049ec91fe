import type { Engine } from '../../engines/engine';

/** Runtime that a manifest launches: llama.cpp's own server where a plan ran the embedded engine; null where there is one only. */
export const runtimeToLaunch = (engine: Engine): string | null => (engine.id === 'llama.cpp' ? 'llama-server' : null);
