import { sglang } from '@/server/core/engines/sglang';
import { wholePlans } from './argument-lists';
import { askPython, pythonParser } from './python-parser';
import { unpackWheel, type Verifier } from './verifier';

const WHEEL = `sglang==${sglang.versions.pinned}`;
const parser = pythonParser({
  engine: sglang,
  wheel: WHEEL,
  script: 'sglang_parser.py',
  packages: [],
  model: ['--model-path', 'acme/model'],
});

const CHAIN = '--speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4';
const EAGLE3 = `--speculative-algorithm EAGLE3 --speculative-draft-model-path acme/head ${CHAIN}`;

/** Combinations that our lowering refuses: the engine must refuse them too, or we refuse too much. */
const REFUSED: readonly string[] = [
  `${EAGLE3} --pp-size 2`,
  `${EAGLE3} --enable-lora --lora-paths sql=acme/sql`,
  '--speculative-algorithm EAGLE --speculative-num-steps 3',
  `--speculative-algorithm STANDALONE --speculative-draft-model-path acme/d ${CHAIN} --tp-size 2 --dp-size 2 --enable-dp-attention`,
  '--speculative-algorithm NGRAM --speculative-num-draft-tokens 12 --tp-size 2 --dp-size 2 --enable-dp-attention',
  '--speculative-algorithm DFLASH --speculative-num-draft-tokens 16',
  '--chunked-prefill-size 1000 --page-size 64',
  '--enable-priority-scheduling --schedule-policy lpm',
  '--kv-cache-dtype int8',
];

/** Combinations that we emit, beside the typical set-ups. */
const ACCEPTED: readonly string[] = [
  `${EAGLE3} --page-size 64`,
  '--speculative-algorithm NGRAM --speculative-num-draft-tokens 12 --enable-lora --lora-paths sql=acme/sql chat=acme/chat',
  '--speculative-algorithm DFLASH --speculative-draft-model-path acme/d --speculative-num-draft-tokens 16 --speculative-dflash-block-size 16',
  '--enable-priority-scheduling --schedule-low-priority-values-first',
  '--tp-size 8 --dp-size 8 --enable-dp-attention --ep-size 8',
];

const lineOf = (words: string): string[] => [
  ...sglang.command(null),
  '--model-path',
  'acme/model',
  ...words.split(' '),
];

/** Its parser and flag table, then its own checks of whole command lines. */
export const verifySglang: Verifier = {
  ...parser,
  async verify(folder) {
    const { asked, disagreements } = await parser.verify(folder);
    const unpacked = await unpackWheel(folder, WHEEL);
    const accepted = [...wholePlans(sglang), ...ACCEPTED.map(lineOf)];
    const refused = REFUSED.map(lineOf);
    const said = await askPython('python3', 'sglang_checks.py', unpacked, [...accepted, ...refused]);
    const wrongly = accepted.flatMap((argv, i) => (said[i] === null ? [] : [`${argv.join(' ')}: ${said[i]}`]));
    const kept = REFUSED.filter((_, i) => said[accepted.length + i] === null);
    return {
      asked: `${asked}, ${accepted.length + refused.length} command lines by its checks`,
      disagreements: [
        ...disagreements,
        ...wrongly,
        ...kept.map((words) => `we refuse "${words}"; the engine takes it`),
      ],
    };
  },
};
