import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType } from '../ports';

export const engine: NodeType = defineNodeType({
  type: 'engine',
  family: 'sources',
  title: 'Engine',
  summary: 'The server that runs the model.',
  stage: 'source',
  inputs: [],
  outputs: [{ id: 'engine', label: 'Engine', gives: 'engine' }],
  params: z.object({
    engine: param(z.string().min(1).default('llama.cpp'), {
      label: 'Engine',
      unit: null,
      description: 'llama.cpp, vllm, or endpoint for an OpenAI-compatible server that runs already.',
      kind: 'launch',
      control: 'engine',
    }),
    runtime: param(z.string().min(1).nullable().default(null), {
      label: 'Runtime',
      unit: null,
      description:
        "Which build of the engine runs: llama.cpp has embedded and llama-server. Empty takes the engine's first.",
      kind: 'launch',
      control: 'text',
    }),
    version: param(z.string().min(1).nullable().default(null), {
      label: 'Version',
      unit: null,
      description: 'Empty takes the version that the facts were read from.',
      kind: 'launch',
      control: 'text',
    }),
    url: param(
      z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
      {
        label: 'URL',
        unit: null,
        description: 'Engine endpoint only: base URL of the running server, with or without /v1.',
        kind: 'launch',
        control: 'text',
      },
    ),
    model: param(z.string().min(1).nullable().default(null), {
      label: 'Served model',
      unit: null,
      description: "Engine endpoint only: the model's name at that server; empty takes the first that it lists.",
      kind: 'launch',
      control: 'text',
    }),
    apiKeySecret: param(
      z
        .string()
        .regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/, 'a secret name starts with INFERLOOM_SECRET_')
        .nullable()
        .default(null),
      {
        label: 'API key',
        unit: null,
        description: 'Engine endpoint only: name of the secret that holds the key, never the key itself.',
        kind: 'launch',
        control: 'secret',
      },
    ),
    rawArgs: param(z.string().min(1).max(20_000).nullable().default(null), {
      label: 'More arguments',
      unit: null,
      description:
        'Arguments for which there is no node, as on a command line; they follow those of the nodes word for word. Secrets as $INFERLOOM_SECRET_NAME.',
      kind: 'launch',
      control: 'text',
    }),
    rawConfig: param(z.string().min(1).max(20_000).nullable().default(null), {
      label: 'More configuration',
      unit: null,
      description:
        "Entries of the engine's configuration file for which there is no node, as YAML; they stand beside those of the nodes. Only for engines with such a file (TensorRT-LLM).",
      kind: 'launch',
      control: 'text',
    }),
  }),
  apply: () => ({}),
  withoutEffect: (p) =>
    p.engine === 'endpoint' ? ['runtime', 'version', 'rawArgs', 'rawConfig'] : ['url', 'model', 'apiKeySecret'],
  settings: [],
  technique: null,
});
