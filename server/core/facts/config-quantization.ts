import { type Config, count, flag, isConfig, list, number, object, text } from './config-fields';
import type { Quantization } from './model-facts';

const NOTHING: Omit<Quantization, 'method'> = {
  scheme: null,
  groupSize: null,
  actOrder: null,
  blockSize: null,
  hasKvScales: null,
};

interface Read {
  quantization: Quantization;
  /** Type of the weights format, after `safetensors:`. */
  type: string;
}

const firstGroup = (config: Config): Config | null => {
  const groups = object(config, 'config_groups');
  const [group] = groups === null ? [] : Object.values(groups);
  return isConfig(group) ? group : null;
};

const FORMAT_OF_SCHEME: Readonly<Record<string, string>> = {
  W4A16: 'w4a16',
  W8A16: 'int8-weight-only',
  'W8A8-INT8': 'int8-w8a8',
  'W8A8-FP8': 'fp8',
  'W4A4-NVFP4': 'nvfp4',
  'W4A16-MXFP4': 'mxfp4',
};

/** Scheme of a compressed-tensors group: bits and kind of weights and activations. */
function schemeOf(weights: Config, activations: Config | null, groupSize: number | null): string | null {
  const bits = count(weights, 'num_bits');
  const isFloat = text(weights, 'type') === 'float';
  if (bits === 4 && isFloat) return groupSize === 32 ? 'W4A16-MXFP4' : 'W4A4-NVFP4';
  if (bits === null || (bits !== 4 && bits !== 8)) return null;
  if (activations === null) return isFloat ? null : `W${bits}A16`;
  if (bits === 4) return text(activations, 'type') === 'float' ? 'W4A8-FP8' : 'W4A8-INT8';
  return isFloat ? 'W8A8-FP8' : 'W8A8-INT8';
}

function compressedTensors(config: Config): Read {
  const group = firstGroup(config) ?? {};
  const weights = object(group, 'weights') ?? {};
  const groupSize = number(weights, 'group_size') ?? (text(weights, 'strategy') === 'channel' ? -1 : null);
  const scheme = schemeOf(weights, object(group, 'input_activations'), groupSize);
  const quantization: Quantization = {
    ...NOTHING,
    method: 'compressed-tensors',
    scheme,
    groupSize,
    actOrder: weights.actorder !== null && weights.actorder !== undefined,
    hasKvScales: object(config, 'kv_cache_scheme') !== null,
  };
  return { quantization, type: FORMAT_OF_SCHEME[scheme ?? ''] ?? 'unknown' };
}

function modelopt(config: Config): Read {
  const algorithm = text(config, 'quant_algo') ?? '';
  const hasKvScales = object(config, 'kv_cache_scheme') !== null || text(config, 'kv_cache_quant_algo') !== null;
  if (/NVFP4/.test(algorithm)) {
    return { quantization: { ...NOTHING, method: 'modelopt_fp4', groupSize: 16, hasKvScales }, type: 'nvfp4' };
  }
  const method = /^FP8/.test(algorithm) ? 'modelopt' : 'modelopt_mixed';
  return {
    quantization: { ...NOTHING, method, hasKvScales },
    type: method === 'modelopt' ? 'fp8-static' : 'unknown',
  };
}

function fp8(config: Config): Read {
  const [edge] = list(config, 'weight_block_size') ?? [];
  const blockSize = typeof edge === 'number' && Number.isSafeInteger(edge) && edge > 0 ? edge : null;
  const scales = text(config, 'activation_scheme') === 'static' ? 'fp8-static' : 'fp8';
  return {
    quantization: { ...NOTHING, method: 'fp8', blockSize, hasKvScales: false },
    type: blockSize === null ? scales : 'fp8-block',
  };
}

function integerGroups(method: 'awq' | 'gptq', config: Config): Read {
  const bits = count(config, 'bits') ?? count(config, 'w_bit') ?? 4;
  const quantization: Quantization = {
    ...NOTHING,
    method,
    groupSize: number(config, 'group_size') ?? number(config, 'q_group_size'),
    actOrder: method === 'awq' ? false : flag(config, 'desc_act'),
    hasKvScales: false,
  };
  return { quantization, type: method === 'awq' ? 'awq-int4' : `gptq-int${bits === 8 ? 8 : 4}` };
}

/** `quantization_config` of a config.json; null where it names no method that we know, or mixes several. */
export function readQuantization(config: Config): Read | null {
  const method = text(config, 'quant_method') ?? (text(config, 'quant_algo') === null ? null : 'modelopt');
  switch (method) {
    case 'awq':
    case 'gptq':
      return integerGroups(method, config);
    case 'fp8':
      return fp8(config);
    case 'mxfp4':
      return { quantization: { ...NOTHING, method, groupSize: 32, hasKvScales: false }, type: 'mxfp4' };
    case 'bitsandbytes': {
      const isFour = flag(config, 'load_in_4bit') === true;
      return { quantization: { ...NOTHING, method, hasKvScales: false }, type: isFour ? 'bnb-nf4' : 'bnb-int8' };
    }
    case 'compressed-tensors':
      return compressedTensors(config);
    case 'modelopt':
    case 'modelopt_fp4':
      return modelopt(config);
    case null:
      return null;
    default:
      return { quantization: { ...NOTHING, method }, type: 'unknown' };
  }
}
