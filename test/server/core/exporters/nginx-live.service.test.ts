import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Policies } from '@/server/core/plan/policies';
import { exported } from '@/test/fixtures/export-form';
import { POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';

const NGINX = spawnSync('nginx', ['-v']).error === undefined;

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createSocketServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const SECRETS = {
  INFERLOOM_SECRET_WEB: 'web.key',
  INFERLOOM_SECRET_BATCH: 'batch-key',
  INFERLOOM_SECRET_API_KEY: 'own',
};
const policies: Policies = {
  ...POLICIES,
  gateway: POLICIES.gateway && {
    ...POLICIES.gateway,
    rateLimits: [{ by: 'key', requestsPerMinute: 600, tokensPerMinute: null, burst: 3 }],
    maxBodyBytes: 1000,
  },
};

let folder = '';
let engine: Server;
let nginx: ChildProcess;
let url = '';
/** What the stand-in for the engine does with the next request. */
let mode: 'answer' | 'stream' | 'fail' = 'answer';
let release = (): void => {};
let lastKey: string | undefined;
let asked = 0;

/** NGINX with the exported file, on ports of its own, before a stand-in for the engine. */
async function start(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-nginx-'));
  const [enginePort, listen, open] = [await freePort(), await freePort(), await freePort()];
  engine = createServer((request, response) => {
    lastKey = request.headers.authorization;
    asked += 1;
    request.resume();
    if (mode === 'fail') response.writeHead(500).end('{}');
    else if (mode === 'answer') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      release = () => response.end('data: [DONE]\n\n');
    }
  }).listen(enginePort, '127.0.0.1');
  const { files } = exported(vllmPlan(policies), 'nginx-config');
  const text = (path: string): string => files.find((file) => file.path === path)?.content ?? '';
  writeFileSync(join(folder, 'write-keys.sh'), text('write-keys.sh'));
  const env = { NODE_ENV: 'test' as const, PATH: '/usr/bin:/bin', ...SECRETS };
  execFileSync('bash', [join(folder, 'write-keys.sh'), join(folder, 'keys')], { env });
  const conf = text('nginx.conf')
    .replaceAll('/etc/nginx/inferloom', join(folder, 'keys'))
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${enginePort}`)
    .replaceAll('127.0.0.1:8089', `127.0.0.1:${open}`)
    .replace('listen 8088;', `listen 127.0.0.1:${listen};`)
    .replace('http {', 'http {\n    access_log off;');
  writeFileSync(join(folder, 'nginx.conf'), `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\n${conf}`);
  nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  url = `http://127.0.0.1:${listen}`;
  for (let i = 0; i < 50; i += 1) {
    if (
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('nginx did not come up');
}

const ask = (key: string | null, body = '{}'): Promise<Response> =>
  fetch(`${url}/v1/completions`, {
    method: 'POST',
    body,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });

/** The gateway that a plan asks for, as NGINX really behaves with the exported file. */
describe.skipIf(!NGINX)(
  `the exported NGINX configuration, running${NGINX ? '' : ' (skipped: this machine has no nginx)'}`,
  () => {
    beforeAll(start, 30_000);
    afterAll(async () => {
      nginx.kill('SIGTERM');
      await new Promise((done) => nginx.once('exit', done));
      engine.closeAllConnections();
      engine.close();
      rmSync(folder, { recursive: true });
    });

    it('knows its clients, and hands the server its own key', async () => {
      expect((await ask(null)).status).toBe(401);
      const wrong = await ask('other');
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await wrong.json()).toMatchObject({ error: { type: 'invalid_api_key', code: 401 } });
      expect((await ask('web.key')).status).toBe(200);
      expect(lastKey).toBe('Bearer own');
    });

    it('refuses bodies that are too large', async () => {
      const large = await ask('web.key', 'x'.repeat(1001));
      expect([large.status, (await large.json()).error.type]).toEqual([413, 'request_too_large']);
    });

    it('passes a stream on token by token', async () => {
      mode = 'stream';
      const response = await ask('batch-key');
      const reader = response.body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toBe('data: first\n\n');
      release();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: [DONE]\n\n');
      mode = 'answer';
    });

    it('lets a burst through and answers the next with 429 and Retry-After', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('web.key')));
      const limited = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
      expect(limited.length).toBeGreaterThanOrEqual(4);
      expect(limited[0]?.headers.get('retry-after')).toBe('1');
      expect(await limited[0]?.json()).toMatchObject({ error: { type: 'rate_limit_exceeded', code: 429 } });
      expect((await ask('batch-key')).status).toBe(200);
    });

    it('leaves a server that fails alone', async () => {
      await new Promise((done) => setTimeout(done, 500));
      mode = 'fail';
      const before = asked;
      for (let i = 0; i < 3; i += 1) expect((await ask('batch-key')).status).toBe(503);
      expect(asked - before).toBe(3);
      await new Promise((done) => setTimeout(done, 300));
      const open = await ask('batch-key');
      mode = 'answer';
      expect(asked - before).toBe(3);
      expect([open.status, open.headers.get('retry-after')]).toEqual([503, '15']);
      expect(await open.json()).toMatchObject({ error: { type: 'server_unavailable' } });
    });
  },
);
