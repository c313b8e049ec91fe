import { dockerCompose } from './docker-compose';
import type { Exporter } from './exporter';
import { kubernetes } from './kubernetes';
import { llamaServer } from './llama-server';
import { vllmServe } from './vllm-serve';

/** Every form in which a plan can be written. */
export const EXPORTERS: readonly Exporter[] = [llamaServer, vllmServe, dockerCompose, kubernetes];
