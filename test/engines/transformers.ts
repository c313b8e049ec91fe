import { transformers } from '@/server/core/engines/transformers';
import { pythonParser } from './python-parser';

export const verifyTransformers = pythonParser({
  engine: transformers,
  wheel: `transformers==${transformers.versions.pinned}`,
  script: 'transformers_parser.py',
  packages: ['typer'],
  model: ['acme/model'],
});
