import { lmdeploy } from '@/server/core/engines/lmdeploy';
import { pythonParser } from './python-parser';

export const verifyLmdeploy = pythonParser({
  engine: lmdeploy,
  wheel: `lmdeploy==${lmdeploy.versions.pinned}`,
  script: 'lmdeploy_parser.py',
  packages: [],
  model: ['acme/model'],
});
