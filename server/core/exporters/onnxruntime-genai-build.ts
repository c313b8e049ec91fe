import type { Exporter } from './exporter';
import { serverScript } from './serving/server-script';

export const onnxruntimeGenaiBuild: Exporter = serverScript({
  id: 'onnxruntime-genai-build',
  title: 'ONNX Runtime GenAI builder',
  summary: 'a bash script that builds the model folder, and the options laid over its genai_config.json',
  engine: 'onnxruntime-genai',
  form: 'A builder command of ONNX Runtime GenAI',
  path: 'onnx-build.sh',
  isTool: true,
});
