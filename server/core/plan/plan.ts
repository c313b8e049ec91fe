import { z } from 'zod';
import { NO_POLICIES, policiesSchema } from './policies';
import { SCOPES } from './settings';

/** One launch argument with its reason. `value` null: a bare flag. `setting` null: a raw or fixed argument. */
export const argSchema = z.object({
  flag: z.string(),
  value: z.string().nullable(),
  setting: z.string().nullable(),
  scope: z.enum(SCOPES).default('target'),
  nodeId: z.string().nullable(),
  isDefault: z.boolean(),
  /** Arithmetic of the conversion from the physical setting, in words, e.g. "8 sequences × 512 tokens". */
  note: z.string().nullable().default(null),
});
export type Arg = z.infer<typeof argSchema>;

/** One entry of the engine's configuration file (TensorRT-LLM's YAML, say), with its reason as an argument has. */
export const configEntrySchema = z.object({
  /** Keys from the file's root, e.g. `kv_cache_config.dtype`. */
  path: z.string(),
  value: z.unknown(),
  setting: z.string().nullable(),
  scope: z.enum(SCOPES).default('target'),
  nodeId: z.string().nullable(),
  note: z.string().nullable().default(null),
});
export type ConfigEntry = z.infer<typeof configEntrySchema>;

const recipeOptionsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

/**
 * Weights that a plan needs. Its argument in argv holds `fileName`; the agent replaces the value of the
 * argument with `setting: "weightsFormat"` and the same scope by the prepared file's real path.
 */
export const checkpointSchema = z.object({
  scope: z.enum(SCOPES),
  /** Id in facts/models, e.g. `inferloom-demo`. */
  model: z.string(),
  /** Hugging Face repository, `bundled:NAME` for the shipped demo models, or a path on the worker. */
  repo: z.string(),
  revision: z.string().nullable(),
  /** `gguf:Q4_K_M`, `safetensors:bf16`, … */
  format: z.string(),
  source: z.enum(['checkpoint', 'online', 'recipe']),
  /**
   * For `recipe`: what makes it. `options` as the node gave them, left out where there are none; `before`: steps on
   * the source that come first (pruning before quantization). `toType` equals the type of `fromFormat` where
   * pruning is all.
   */
  recipe: z
    .object({
      tool: z.string(),
      fromFormat: z.string(),
      toType: z.string(),
      options: recipeOptionsSchema.optional(),
      before: z.array(z.object({ tool: z.string(), options: recipeOptionsSchema })).optional(),
    })
    .nullable(),
  fileName: z.string(),
  nodeId: z.string().nullable(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/**
 * One process of a plan, or several equal ones. Components reach each other by name: `name` is the host name where
 * there is one replica, `name-0`, `name-1`, … where there are more; a form that names hosts otherwise replaces them.
 */
export const componentSchema = z.object({
  name: z.string(),
  role: z.enum(['engine', 'prefill', 'decode', 'router', 'gateway']),
  engine: z.string(),
  /** For llama.cpp `embedded` or `llama-server`; null for engines with one runtime. */
  runtime: z.string().nullable(),
  engineVersion: z.string(),
  image: z.string().nullable(),
  hardware: z.object({ id: z.string(), kind: z.enum(['cpu', 'gpu']), count: z.number().int().positive() }),
  replicas: z.number().int().positive(),
  argv: z.array(z.string()),
  args: z.array(argSchema),
  /** Environment; a secret's value is `$INFERLOOM_SECRET_NAME`, `{host}` the replica's own address. */
  env: z.record(z.string(), z.string()),
  files: z.array(z.object({ path: z.string(), content: z.string() })),
  /** What the engine's configuration file among `files` was written from; empty where the engine has none. */
  config: z.array(configEntrySchema).default([]),
  /** Set where the component is a server that runs already (engine `endpoint`): nothing is launched, argv is empty. */
  endpoint: z
    .object({ url: z.string(), model: z.string().nullable(), apiKeySecret: z.string().nullable() })
    .nullable()
    .default(null),
});
export type Component = z.infer<typeof componentSchema>;

/** What was asked, what the engine does when nobody asks, and the node id (or `workload`, `default`) that asked. */
export const resolvedSettingSchema = z.object({
  asked: z.unknown(),
  default: z.unknown(),
  defaultSource: z.string().nullable(),
  origin: z.string(),
  field: z.string().nullable(),
});

export const planSchema = z.object({
  /** Arm id: `dep` or `dep[param=value,…]`; the synthesized baseline is `baseline`. */
  deployment: z.string(),
  /** Id of the deployment node; null for a synthesized baseline. */
  deploymentNodeId: z.string().nullable(),
  isBaseline: z.boolean(),
  /** Short text for legends, e.g. "Q4_K_M + draft k=3". */
  label: z.string(),
  planHash: z.string(),
  launchHash: z.string(),
  components: z.array(componentSchema).min(1),
  argv: z.array(z.string()).optional(),
  checkpoints: z.array(checkpointSchema),
  /** Gateway, scaling, routing and pools around the engine. */
  policies: policiesSchema.default(NO_POLICIES),
  /** Request defaults sent with every request (OpenAI field names: temperature, top_p, …). */
  request: z.record(z.string(), z.unknown()),
  /** Key: setting name for the target scope, `scope.name` for others. */
  settings: z.record(z.string(), resolvedSettingSchema),
  /** USD per hour for the whole plan; null when nobody priced the hardware. */
  pricePerHourUsd: z.number().nonnegative().nullable(),
  /** Worst loss class of the plan's techniques. */
  loss: z.enum(['none', 'under-1-percent', '1-to-3-percent', 'over-3-percent', 'lossy']),
  /** Nodes that take part, for node states while it runs. */
  nodeIds: z.array(z.string()),
});
/** Frozen, hashed: what one arm of an experiment launches. */
export type Plan = z.infer<typeof planSchema>;
