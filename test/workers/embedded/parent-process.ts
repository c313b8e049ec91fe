import { startEngine } from './engine-client';

/** A parent of an engine, to be killed by a test: prints the engine's process id and waits. */
const engine = await startEngine(['--ctx-size', '512']);
process.stdout.write(`${engine.pid}\n`);
setInterval(() => {}, 1000);
