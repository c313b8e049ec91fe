import type { Command } from 'commander';
import { NO_FAULTS, parseFaults } from '../simulator/faults';
import { startSimulator } from '../simulator/simulator';
import { openWriteLog } from '../simulator/write-log';
import { readNumberOption } from './number-option';
import { ExitError, type Verb } from './verb';

interface Options {
  ttft: number;
  itl: number;
  concurrency: number;
  faults?: string;
  log?: string;
  port: number;
  json?: boolean;
}

async function simulateUntilStopped(options: Options): Promise<void> {
  let faults = NO_FAULTS;
  try {
    if (options.faults !== undefined) faults = parseFaults(options.faults);
  } catch (error) {
    throw new ExitError(2, `--faults: ${(error as Error).message}`);
  }
  const log = options.log === undefined ? null : openWriteLog(options.log);
  const simulator = await startSimulator({
    ttftMs: options.ttft,
    itlMs: options.itl,
    concurrency: options.concurrency,
    faults,
    port: options.port,
    onEntry: log?.write,
    keepLog: false,
  }).catch((error: NodeJS.ErrnoException) => {
    throw new ExitError(2, `port ${options.port} cannot be used: ${error.message}`);
  });
  const { url, port } = simulator;
  process.stdout.write(options.json ? `${JSON.stringify({ url, port, log: options.log ?? null })}\n` : `${url}\n`);
  process.stderr.write('SIMULATED timings; stop with Ctrl-C\n');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await simulator.stop();
  await log?.close();
}

export const simulate: Verb = {
  name: 'simulate',
  summary: 'serve an OpenAI-compatible simulator with given timings; what is measured on it is stamped SIMULATED',
  describe(command: Command) {
    const number = (min: number, max: number) => (text: string) => readNumberOption(text, min, max);
    command
      .option('--ttft <ms>', 'time to first token', number(0, 3_600_000), 50)
      .option('--itl <ms>', 'time between tokens', number(0, 3_600_000), 10)
      .option('--concurrency <n>', 'requests answered at the same time', number(1, 100_000), 64)
      .option('--faults <spec>', 'e.g. shed=0.1,error=0.02,cut=0.01,stall=0.05@800,bundle=8,short=4,no-usage,queue=16')
      .option('--log <file>', 'JSON lines with the real write times, ns on the monotonic clock')
      .option('--port <port>', '0 takes a free one', number(0, 65_535), 0)
      .option('--json', 'print the address as JSON')
      .action(simulateUntilStopped);
  },
};
