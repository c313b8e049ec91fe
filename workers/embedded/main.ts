import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import { chatTemplate } from './chat-template';
import { EngineLog } from './engine-log';
import { ENGINE_ENVIRONMENT } from './entry';
import { type EngineOptions, parseEngineFlags, UsageError } from './flags';
import type { EngineService } from './http/engine-service';
import { createEngineServer } from './http/server';
import { type LoadedEngine, loadEngine } from './load-engine';
import { Scheduler } from './scheduler';
import { asTokens } from './slot';

/** Time that a running step gets to end before the process goes anyway. */
const STOP_MS = 3000;

function fail(message: string, code: number): never {
  fs.writeSync(2, `${message}\n`);
  process.exit(code);
}

function readOptions(): EngineOptions {
  try {
    return parseEngineFlags(process.argv.slice(2), process.env);
  } catch (error) {
    if (error instanceof UsageError) fail(`embedded engine: ${error.message}`, 2);
    throw error;
  }
}

function serviceOf(options: EngineOptions, engine: LoadedEngine): EngineService {
  const { model, context } = engine.target;
  const template = (model.fileInfo.metadata as { tokenizer?: { chat_template?: string } }).tokenizer?.chat_template;
  return {
    alias: options.alias,
    options,
    engine,
    scheduler: new Scheduler(engine, options),
    template: chatTemplate(template, { bos: model.tokens.bosString, eos: model.tokens.eosString }),
    vocabularySize: engine.vocabularySize,
    contextTokensPerSequence: context.contextSize,
    tokenize: (text, special) => {
      const tokens: number[] = model.tokenize(text, special);
      const bos = model.tokens.bos;
      return model.tokens.shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
    },
    detokenize: (tokens, before) => model.detokenize(asTokens(tokens), false, asTokens(before)),
  };
}

/** No orphan: the engine leaves with its parent, whether that hangs up its channel or its pipe. */
function leaveWithParent(stop: () => void): void {
  if (process.send) {
    process.on('disconnect', stop);
    return;
  }
  const stdin = fs.fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.on('end', stop).on('error', stop).resume();
}

async function main(): Promise<void> {
  const options = readOptions();
  for (const [name, value] of Object.entries(ENGINE_ENVIRONMENT))
    if (process.env[name] !== value) fail(`embedded engine: start it with ${name}=${value} in the environment`, 2);
  let service: EngineService | null = null;
  let stopping = false;
  const server = createEngineServer(options.apiKey, () => service);
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeAllConnections();
    const end = (): void => process.exit(0);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS);
    if (service) void service.scheduler.stop().then(end);
    else end();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  leaveWithParent(stop);
  server.on('error', (error) =>
    fail(`embedded engine: cannot listen on ${options.host}:${options.port}: ${error.message}`, 1),
  );
  server.listen(options.port, options.host, () => {
    const { port } = server.address() as AddressInfo;
    const log = new EngineLog((line) => process.stderr.write(`${line}\n`));
    loadEngine(options, log).then(
      (engine) => {
        service = serviceOf(options, engine);
        const ready = { ready: true, port };
        process.stdout.write(`${JSON.stringify(ready)}\n`);
        process.send?.(ready);
      },
      (error: Error) => fail(`embedded engine: ${error.message}`, 1),
    );
  });
}

void main();
