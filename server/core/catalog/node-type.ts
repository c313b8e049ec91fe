import type { z } from 'zod';
import type { PolicyParts } from '../plan/policies';
import type { SettingName, SettingValues } from '../plan/settings';

export const FAMILIES = [
  'sources',
  'compression',
  'attention',
  'kv-cache',
  'decoding',
  'serving',
  'gateway',
  'scaling',
  'deployment',
] as const;
export type Family = (typeof FAMILIES)[number];

/** What flows over an edge. A port accepts the kinds that it lists. */
export type PortKind = 'weights' | 'serving' | 'engine' | 'hardware' | 'gateway' | 'scaling';

export interface InputPort {
  id: string;
  label: string;
  accepts: readonly PortKind[];
  required: boolean;
  /** Scope into which this port imports what enters it; `target` unless said (the draft port says `draft`). */
  scope: 'target' | 'draft' | 'prefill' | 'decode' | 'adapter';
}
export interface OutputPort {
  id: string;
  label: string;
  gives: PortKind;
}

export type ParamKind = 'launch' | 'request' | 'load';
/** Metadata of one parameter, read by form, validation, docs and sweeps alike. Set through `param()`. */
export interface ParamMeta {
  label: string;
  unit: string | null;
  description: string;
  kind: ParamKind;
  /** Values offered when the user turns the parameter into a sweep. */
  sweep?: readonly unknown[];
  /** Form control where the schema alone does not say it. */
  control?: 'text' | 'secret' | 'model' | 'hardware' | 'engine' | 'metrics' | 'model-facts';
}

/** How a weights technique gets its file. `repo` null: the repository that the facts name for the model. */
export interface CheckpointRequest {
  source: 'checkpoint' | 'online' | 'recipe';
  /** Id in `recipe-tools`; null unless the source is a recipe. */
  tool: string | null;
  /** Null: the first repository that the facts know under one of `knownAs`. */
  repo: string | null;
  /** Keys of a model's `quantizedRepos` whose repositories hold this format, best first. */
  knownAs?: readonly string[];
  /** Of those, only repositories whose name matches: one key may hold several formats (GPTQ Int4 and Int8). */
  knownMatching?: RegExp;
  /** For a recipe: what its tool is told beyond the format (`groupSize`, `calibrationSamples`, `percent`, …). */
  options?: Readonly<Record<string, string | number>>;
}

export type LossClass = 'none' | 'under-1-percent' | '1-to-3-percent' | 'over-3-percent' | 'lossy';

/**
 * A node type: one file in `catalog/sources` or `catalog/techniques`, one line in the registry.
 * `stage` orders techniques: an edge never runs from a later stage to an earlier one.
 */
export interface NodeType<P extends z.ZodObject = z.ZodObject> {
  type: string;
  family: Family;
  title: string;
  summary: string;
  /** Part of a long family, as the palette shows it ("Speculation"). */
  group?: string;
  /** Other names under which people look for it: the field's terms, papers, flags. */
  aliases?: readonly string[];
  stage: 'source' | 'weights' | 'attention' | 'kv-cache' | 'decoding' | 'serving' | 'sink';
  inputs: readonly InputPort[];
  outputs: readonly OutputPort[];
  params: P;
  /** The settings this node asks for, from validated parameters. Sources and the sink ask for none. */
  apply(
    params: z.infer<P>,
  ): Partial<{ [K in SettingName]: { value: SettingValues[K]; field: keyof z.infer<P> & string } }>;
  /** What the node adds around the engine: gateway, scaling, routing, pools. */
  policy?(params: z.infer<P>): PolicyParts;
  /**
   * Weights techniques only: the model that takes the place of the one that enters (a distilled or pruned student);
   * null: the one that enters stays.
   */
  replacesModel?(params: z.infer<P>): string | null;
  /** Settings that this type can set, for `catalog --json` and the engine matrix. */
  settings: readonly SettingName[];
  /**
   * Weights techniques only: where the file of the asked format comes from. A technique that asks for no
   * `weightsFormat` (pruning) keeps the model's own: its `checkpoint` puts `repo` in the place of the model's
   * repository, its `recipe` is a step before whatever the chain asks for next.
   */
  checkpoint?(params: z.infer<P>): CheckpointRequest;
  /** Loss at these parameters, where it depends on them; else `technique.loss` holds. */
  loss?(params: z.infer<P>): LossClass;
  /** What is wrong with parameters that are each in range: one that the others need, two that exclude each other. */
  faults?(params: z.infer<P>): readonly { field: keyof z.infer<P> & string; message: string }[];
  /** Parameters that mean nothing beside the others, a URL of an engine that is launched say; set ones get a finding. */
  withoutEffect?(params: z.infer<P>): readonly (keyof z.infer<P> & string)[];
  /** What a legend says of it, e.g. "Q4_K_M" or "draft k=3"; null: nothing worth saying. */
  label?(params: z.infer<P>): string | null;
  technique: TechniqueFacts | null;
}

export interface TechniqueFacts {
  loss: LossClass;
  maturity: 'production' | 'evolving';
  suits: string;
  helps: readonly ('prefill' | 'decode' | 'memory' | 'capacity')[];
  hurtsWhen: string;
  references: readonly string[];
}
