import { sglang } from '@/server/core/engines/sglang';
import { pythonParser } from './python-parser';

export const verifySglang = pythonParser({
  engine: sglang,
  wheel: `sglang==${sglang.versions.pinned}`,
  script: 'sglang_parser.py',
  packages: [],
  model: ['--model-path', 'acme/model'],
});
