import { type Config, count, list, text } from './config-fields';
import type { OwnModel } from './own-model';

type Layers = Pick<OwnModel, 'window' | 'linearAttention'>;

const kinds = (config: Config): string[] =>
  (list(config, 'layer_types') ?? list(config, 'layers_block_type') ?? []).filter(
    (entry): entry is string => typeof entry === 'string',
  );

/** Elements of the state that one linear layer keeps for a sequence: heads × key width × value width. */
function stateElements(config: Config): number | null {
  const heads = count(config, 'linear_num_value_heads') ?? count(config, 'mamba_num_heads');
  const key = count(config, 'linear_key_head_dim') ?? count(config, 'ssm_state_size');
  const value = count(config, 'linear_value_head_dim') ?? count(config, 'mamba_head_dim');
  return heads === null || key === null || value === null ? null : heads * key * value;
}

/** Layers without a cache: linear attention and Mamba; of Nemotron-H also its separate MLP layers. */
function linearAttention(config: Config, layers: number): OwnModel['linearAttention'] {
  const pattern = text(config, 'hybrid_override_pattern');
  const named = kinds(config).filter((kind) => /linear|mamba|recurrent|ssm/.test(kind)).length;
  const cacheless = pattern === null ? named : layers - [...pattern].filter((letter) => letter === '*').length;
  return cacheless === 0 ? 'none' : { layers: cacheless, stateElementsPerLayer: stateElements(config) };
}

/** Layers with a window where nothing lists them one by one. */
function slidingByRule(config: Config, layers: number): number {
  const every = count(config, 'sliding_window_pattern');
  if (every !== null) return layers - Math.floor(layers / every);
  return text(config, 'model_type') === 'gemma2' ? Math.ceil(layers / 2) : layers;
}

function window(config: Config, layers: number): OwnModel['window'] {
  const chunk = count(config, 'attention_chunk_size');
  const tokens = count(config, 'sliding_window') ?? chunk;
  if (tokens === null || config.use_sliding_window === false) return 'none';
  const named = kinds(config);
  const sliding = named.filter((kind) => /sliding|chunked/.test(kind)).length;
  // Llama 4: every fourth layer sees everything.
  const unnamed = chunk === null ? slidingByRule(config, layers) : layers - Math.floor(layers / 4);
  const slidingLayers = named.length > 0 ? sliding : unnamed;
  return slidingLayers === 0 ? 'none' : { tokens, slidingLayers, fullLayers: layers - slidingLayers };
}

/** Which layers keep how much: windows and layers without a cache. */
export const readLayers = (config: Config, layers: number): Layers => ({
  window: window(config, layers),
  linearAttention: linearAttention(config, layers),
});
