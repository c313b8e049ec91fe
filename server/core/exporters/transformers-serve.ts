import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const transformersServe: Exporter = serverScript({
  id: 'transformers-serve',
  title: 'transformers serve command line',
  summary: 'a bash script that starts the server of Transformers',
  engine: 'transformers',
  form: 'A transformers serve command line',
  path: 'transformers-serve.sh',
});
