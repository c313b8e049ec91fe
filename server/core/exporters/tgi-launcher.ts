import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const tgiLauncher: Exporter = serverScript({
  id: 'tgi-launcher',
  title: 'text-generation-launcher command line',
  summary: 'a bash script that starts TGI (in maintenance mode since 2025)',
  engine: 'tgi',
  form: 'A TGI command line',
  path: 'tgi-launcher.sh',
});
