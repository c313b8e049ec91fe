import { expect, it, vi } from 'vitest';
import type { CompileReply, CompileRequest } from '@/app/_builder/compile-request';
import { answerCompile } from '@/app/_builder/compile-request';
import { type CompilePort, createLatestCompiler } from '@/app/_builder/latest-compiler';
import { small } from './fixtures';

/** A worker that answers when told to. */
function manualPort() {
  const requests: CompileRequest[] = [];
  const port: CompilePort = { postMessage: (request) => requests.push(request), onmessage: null };
  const answer = (reply: CompileReply) => port.onmessage?.({ data: reply });
  return { port, requests, answer };
}

it('skips the edits between, and shows only the latest', () => {
  const { port, requests, answer } = manualPort();
  const onCompiled = vi.fn();
  const compiler = createLatestCompiler(port, { onCompiled, onFailure: vi.fn() });
  const edits = [small(), small(), small()];
  for (const pipeline of edits) compiler.compile(pipeline);
  expect(requests).toHaveLength(1);
  answer(answerCompile({ seq: 1, pipeline: small() }));
  expect(onCompiled).not.toHaveBeenCalled();
  expect(requests).toHaveLength(2);
  expect(requests[1]?.pipeline).toBe(edits[2]);
  answer(answerCompile({ seq: 2, pipeline: small() }));
  expect(onCompiled).toHaveBeenCalledTimes(1);
});

it('takes no answer twice and says when the compiler broke', () => {
  const { port, answer } = manualPort();
  const onFailure = vi.fn();
  const onCompiled = vi.fn();
  createLatestCompiler(port, { onCompiled, onFailure }).compile(small());
  answer({ seq: 99, failure: 'stale' });
  expect(onFailure).not.toHaveBeenCalled();
  answer({ seq: 1, failure: 'broke' });
  expect(onFailure).toHaveBeenCalledWith('broke');
});

it('compiles directly in a test, with the unknown node as a finding and not as a fault', () => {
  const reply = answerCompile({ seq: 1, pipeline: small() });
  if (!('compiled' in reply)) throw new Error(reply.failure);
  expect(reply.compiled.findings.some((finding) => finding.nodeId === 'alien')).toBe(true);
});
