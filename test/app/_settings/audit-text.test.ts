import { expect, it } from 'vitest';
import { auditDetail } from '@/app/_settings/audit-text';
import { runCommand } from '@/app/_settings/run-command';

it('writes the facts of an audit row on one line, whatever their shape', () => {
  expect(auditDetail({ name: 'Nightly', from: 'viewer', to: 'editor' })).toBe(
    'name: Nightly · from: viewer · to: editor',
  );
  expect(auditDetail({ blocks: 3, deployments: ['a', 'b'], seed: null })).toBe(
    'blocks: 3 · deployments: ["a","b"] · seed: null',
  );
  for (const none of [{}, null, undefined, 'text']) expect(auditDetail(none)).toBe('');
});

it('gives the command that runs a pipeline with a key', () => {
  expect(runCommand('https://loom.example', 'inf_k_x')).toBe(
    'npx inferloom run FILE --server https://loom.example --api-key inf_k_x',
  );
});
