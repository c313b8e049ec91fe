import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const trtllmServe: Exporter = serverScript({
  id: 'trtllm-serve',
  title: 'trtllm-serve command line',
  summary: 'a bash script that starts TensorRT-LLM, and its YAML file',
  engine: 'tensorrt-llm',
  form: 'A trtllm-serve command line',
  path: 'trtllm-serve.sh',
});
