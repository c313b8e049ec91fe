import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const lmdeployServe: Exporter = serverScript({
  id: 'lmdeploy-serve',
  title: 'LMDeploy command line',
  summary: 'a bash script that starts the API server of LMDeploy',
  engine: 'lmdeploy',
  form: 'An LMDeploy command line',
  path: 'lmdeploy-serve.sh',
});
