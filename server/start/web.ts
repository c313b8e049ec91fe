import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import next from 'next';
import { CLIENT_IP_HEADER, clientIp } from '../auth/trust';
import { readEnv } from '../env';
import { startJobs } from '../jobs/runner';
import { log } from '../log';
import { closeLive } from '../services/live';
import { admit } from './admit';
import { answerProbe } from './probes';

/** The web process: our own small server around Next, so that every request passes `admit` first. */
const env = readEnv();
const dev = env.NODE_ENV === 'development';
const app = next({ dev, dir: process.cwd(), hostname: env.HOST, port: env.PORT });
const jobs = startJobs();
const DRAIN_MS = 3000;
let draining = false;

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = admit(request, env);
  const forwarded = request.headers['x-forwarded-for'];
  request.headers[CLIENT_IP_HEADER] = clientIp(request.socket.remoteAddress, forwarded?.toString(), env.TRUST_PROXY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (!request.url?.startsWith('/embed')) response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  if (draining) response.setHeader('Connection', 'close');
  if (refusal) {
    response.writeHead(refusal.status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ error: { code: refusal.code, message: refusal.message } }));
    return;
  }
  if (await answerProbe(request, response, { env, draining })) return;
  await app.getRequestHandler()(request, response);
}

await app.prepare();
const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    log.error({ err: error, url: request.url }, 'request failed');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
if (dev) server.on('upgrade', app.getUpgradeHandler());
server.listen(env.PORT, env.HOST, () => log.info({ host: env.HOST, port: env.PORT }, 'web server listens'));

/** Stops taking requests, lets streams end (they resume elsewhere by their sequence number), then leaves. */
function drain(reason: string): void {
  if (draining) return;
  draining = true;
  log.info({ reason }, 'web server drains');
  void jobs.stop();
  void closeLive();
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
  setTimeout(() => process.exit(0), DRAIN_MS + 1000).unref();
}
process.on('SIGTERM', () => drain('SIGTERM'));
process.on('SIGINT', () => drain('SIGINT'));
if (process.env.INFERLOOM_PARENT_PIPE) process.stdin.resume().once('close', () => process.exit(0));
