import { stringify } from 'yaml';
import type { Disaggregation } from '../../plan/policies';
import type { Pools } from '../engine';
import { configEntries, unsupported } from '../lower';
import { poolAddresses } from '../pool-addresses';

const DOCS = 'TensorRT-LLM docs/source/features/disagg-serving.md; examples/disaggregated/README.md';

const PORT = 8000;
const ROUTER_FILE = '/etc/inferloom/disaggregated.yaml';

const servers = (urls: readonly string[]) => ({ num_instances: urls.length, urls: [...urls] });

/** `trtllm-serve disaggregated`: its file names the engines of both pools. */
function router(pools: Disaggregation) {
  const config = {
    hostname: '0.0.0.0',
    port: PORT,
    backend: 'pytorch',
    context_servers: servers(poolAddresses(pools, 'prefill', PORT)),
    generation_servers: servers(poolAddresses(pools, 'decode', PORT)),
  };
  return {
    command: ['trtllm-serve', 'disaggregated'],
    image: null,
    args: [{ flag: '-c', value: ROUTER_FILE }],
    files: [{ path: ROUTER_FILE, content: stringify(config, { lineWidth: 0 }) }],
    source: DOCS,
  };
}

const TRANSCEIVERS = { nixl: 'NIXL', mooncake: 'MOONCAKE' } as const;

export const tensorrtLlmPools: Pools = {
  member(role, { connector }) {
    if (connector === 'lmcache') {
      return unsupported('its transceiver has UCX, NIXL, MPI and Mooncake, no LMCache', DOCS);
    }
    const entries: Record<string, unknown> = { 'cache_transceiver_config.backend': TRANSCEIVERS[connector] };
    // The overlap scheduler does not work on the side that reads prompts.
    if (role === 'prefill') entries.disable_overlap_scheduler = true;
    return configEntries(entries, `${role} pool`);
  },
  router,
};
