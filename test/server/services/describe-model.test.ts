import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeModel } from '@/server/services/describe-model';

const GGUF = readFileSync(join(process.cwd(), 'workers/embedded/models/inferloom-demo-f16.gguf'));
const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  num_hidden_layers: 2,
  hidden_size: 64,
  num_attention_heads: 4,
  vocab_size: 100,
  torch_dtype: 'bfloat16',
};

let server: Server;
let base = '';
const asked: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    const path = request.url ?? '';
    if (path === '/owner/name/resolve/main/config.json') return void response.end(JSON.stringify(CONFIG));
    if (path === '/owner/gated/resolve/main/config.json') return void response.writeHead(401).end();
    if (path === '/plain.gguf') return void response.end(GGUF);
    if (path !== '/model.gguf') return void response.writeHead(404).end();
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206).end(GGUF.subarray(Number(from), Number(to) + 1));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const options = () => ({ hubUrl: base, allowPrivate: true });

describe('describeModel', () => {
  it('reads the config.json of a repository', async () => {
    const { own, findings } = await describeModel({ repo: 'owner/name' }, options());
    expect(findings).toEqual([]);
    expect(own).toMatchObject({ layers: 2, className: 'LlamaForCausalLM', formats: ['safetensors:bfloat16'] });
  });

  it('reads the header of a GGUF file by ranges, and not the file', async () => {
    asked.length = 0;
    const { own } = await describeModel({ url: `${base}/model.gguf` }, options());
    expect(own).toMatchObject({ layers: 6, paramsTotal: 5_770_496, formats: ['gguf:F16'] });
    expect(asked.map(({ headers }) => headers.range)).toEqual(['bytes=0-1048575']);
  });

  it('cuts off a server that knows no ranges', async () => {
    const { own } = await describeModel({ url: `${base}/plain.gguf` }, options());
    expect(own?.paramsTotal).toBe(5_770_496);
  });

  it.each<[Parameters<typeof describeModel>[0], RegExp]>([
    [{ repo: 'owner/gated' }, /accept its licence there/],
    [{ repo: 'owner/none' }, /is not there/],
    [{ repo: 'no repository' }, /write owner\/name/],
    [{ repo: 'owner/name', revision: '../../x' }, /is no revision/],
  ])('says what is wrong: %j', async (source, expected) => {
    const { own, findings } = await describeModel(source, options());
    expect(own).toBeNull();
    expect(findings.map(({ code, field }) => [code, field])).toEqual([['model-not-described', 'facts']]);
    expect(findings[0]?.message).toMatch(expected);
  });

  it('does not reach into private networks for a user of the server', async () => {
    const { own, findings } = await describeModel({ url: `${base}/model.gguf` });
    expect(own).toBeNull();
    expect(findings[0]?.message).toMatch(/127\.0\.0\.1 is not public/);
  });
});
