import type { PythonBody } from './python-job';
import { optionOf, type RecipeJob } from './recipe-job';

/**
 * Depth pruning: a run of layers before the last one is taken out, and the model saved with as many as are left. The
 * last layer stays, since the head was trained on what it gives (arXiv 2403.17887).
 */
export const layerDropBody = (job: RecipeJob): PythonBody => ({
  packages: ['transformers==5.17.0', 'accelerate==1.15.0'],
  imports: ['import torch', 'from transformers import AutoModelForCausalLM, AutoTokenizer'],
  calibration: null,
  lines: [
    'tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)',
    'model = AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto")',
    'layers = model.model.layers',
    `dropped = ${optionOf(job, 'layers', 4)}`,
    'if dropped > len(layers) - 2:',
    '    raise SystemExit(f"{MODEL} has {len(layers)} layers: {dropped} of them cannot be dropped")',
    'first = len(layers) - 1 - dropped',
    'kept = [i for i in range(len(layers)) if not first <= i < first + dropped]',
    'for index, i in enumerate(kept):',
    '    for part in layers[i].modules():',
    '        if hasattr(part, "layer_idx"):',
    '            part.layer_idx = index',
    'model.model.layers = torch.nn.ModuleList(layers[i] for i in kept)',
    'model.config.num_hidden_layers = len(kept)',
    'if getattr(model.config, "layer_types", None):',
    '    model.config.layer_types = [model.config.layer_types[i] for i in kept]',
    'model.save_pretrained(PART)',
    'tokenizer.save_pretrained(PART)',
  ],
});
