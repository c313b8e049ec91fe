import path from 'node:path';
import { verifyLlamaServer } from './llama-server';
import { verifyLmdeploy } from './lmdeploy';
import { verifySglang } from './sglang';
import { verifyTransformers } from './transformers';
import { type Verifier, verifyFolder } from './verifier';
import { verifyVllm } from './vllm';

/**
 * Asks the engines' own programs whether they take what this project emits: `npm run verify:engines [id…]`. It
 * downloads packages into a folder of its own, so it is no part of `npm test`; what it taught stands there.
 */
const VERIFIERS: readonly Verifier[] = [
  verifySglang,
  verifyLmdeploy,
  verifyVllm,
  verifyTransformers,
  verifyLlamaServer,
];

async function main(asked: readonly string[]): Promise<number> {
  const chosen = asked.length === 0 ? VERIFIERS : VERIFIERS.filter(({ id }) => asked.includes(id));
  if (chosen.length === 0) throw new Error(`known are ${VERIFIERS.map(({ id }) => id).join(', ')}`);
  let failed = 0;
  for (const { id, title, verify } of chosen) {
    try {
      const { asked: what, disagreements } = await verify(path.join(verifyFolder(), id));
      process.stdout.write(`${id} (${title}): ${what}: ${disagreements.length} disagreements\n`);
      for (const line of disagreements) process.stdout.write(`  ${line}\n`);
      failed += disagreements.length;
    } catch (error) {
      failed += 1;
      process.stdout.write(`${id} (${title}): could not be asked: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
