import { WEIGHT_SCHEMES, type WeightScheme } from '../plan/settings';

interface WeightFormat {
  /** `safetensors`, `gguf`, `onnx`, … */
  container: string;
  /** What stands behind the colon. */
  type: string;
  /** The type where it is a quantized safetensors scheme; null: plain numbers, or another container. */
  scheme: WeightScheme | null;
}

/** Parts of a weights format: `safetensors:fp8` → container `safetensors`, scheme `fp8`. */
export function readWeightFormat(format: string): WeightFormat {
  const colon = format.indexOf(':');
  const container = colon < 0 ? format : format.slice(0, colon);
  const type = colon < 0 ? '' : format.slice(colon + 1);
  const scheme = container === 'safetensors' ? (WEIGHT_SCHEMES.find((name) => name === type) ?? null) : null;
  return { container, type, scheme };
}
