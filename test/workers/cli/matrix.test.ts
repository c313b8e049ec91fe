import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { matrix } from '@/workers/cli/matrix';
import { ExitError } from '@/workers/cli/verb';

let printed = '';
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<void> {
  const command = new Command('matrix').exitOverride();
  matrix.describe(command);
  await command.parseAsync(args, { from: 'user' });
}

describe('inferloom matrix', () => {
  it('prints one document with a row a technique', async () => {
    await run('--engine', 'tgi', '--json');
    const rows = JSON.parse(printed) as Record<string, unknown>[];
    const gptq = rows.find((row) => row.technique === 'gptq');
    expect(gptq).toMatchObject({
      engine: 'tgi',
      support: 'partly',
      gpus: { '8.0': 'yes', '10.0': 'partly', cpu: 'no' },
    });
    expect(gptq).not.toHaveProperty('cells');
    for (const key of ['technique', 'engine', 'support', 'how', 'reason', 'source', 'gpus']) {
      expect(rows.every((row) => key in row)).toBe(true);
    }
  });

  it('prints words and signs for a person', async () => {
    await run('--engine', 'onnxruntime-genai');
    expect(printed).toMatch(/^# ONNX Runtime GenAI \(no server\)\n/);
    expect(printed).toMatch(/w4a16: yes {2}--model_name/);
    expect(printed).toMatch(/8\.9-/);
    expect(printed).toMatch(/\+ yes {2}~ with a condition {2}- no/);
  });

  it('knows its engines', async () => {
    await expect(run('--engine', 'endpoint')).rejects.toThrow(ExitError);
    await expect(run('--engine', 'endpoint')).rejects.toThrow(/known are llama\.cpp, vllm/);
  });
});
