import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const sglangServe: Exporter = serverScript({
  id: 'sglang-serve',
  title: 'SGLang command line',
  summary: 'a bash script that starts SGLang',
  engine: 'sglang',
  form: 'An SGLang command line',
  path: 'sglang-serve.sh',
});
