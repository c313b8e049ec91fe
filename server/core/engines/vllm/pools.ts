import type { Disaggregation } from '../../plan/policies';
import type { LoweringContext, Pools } from '../engine';
import { arg, several, unsupported } from '../lower';
import { OWN_HOST, poolAddresses } from '../pool-addresses';
import { weightsName } from './weights';

const CONNECTORS = 'vLLM @017e9f4448, vllm/distributed/kv_transfer/kv_connector/factory.py';
const ROUTER =
  'vllm-project/production-stack, src/vllm_router/parsers/parser.py and examples/disaggregated_prefill_orchestrated';

/** Port on which two engines shake hands before they copy blocks; one engine a host, so that it may be the same. */
const NIXL_PORT = '5600';
const PORT = 8000;

const OTHER_CONNECTORS = {
  mooncake: {
    reason:
      'MooncakeConnector takes requests from a proxy of its own, a script of the vLLM repository that no image holds: take NIXL, or Mooncake as a cache tier',
    source: 'vLLM docs/features/mooncake_connector_usage.md',
  },
  lmcache: {
    reason: 'between pools LMCache needs a server and a router of its own: take NIXL, or LMCache as a cache tier',
    source: 'vllm-project/production-stack, examples/disaggregated_prefill',
  },
} as const;

const servedName = (ctx: LoweringContext): string => {
  const checkpoint = ctx.checkpoint('target');
  return checkpoint === null ? 'default' : weightsName(checkpoint);
};

/** The production-stack router: it asks a prefill engine for one token and hands its transfer parameters to a decode engine. */
function router(pools: Disaggregation, ctx: LoweringContext) {
  const prefill = poolAddresses(pools, 'prefill', PORT);
  const decode = poolAddresses(pools, 'decode', PORT);
  const all = [...prefill, ...decode];
  const labels = [...prefill.map(() => 'prefill'), ...decode.map(() => 'decode')];
  return {
    command: ['python3', '-m', 'vllm_router.app'],
    image: null,
    args: [
      { flag: '--service-discovery', value: 'static' },
      { flag: '--static-backends', value: all.map((address) => `http://${address}`).join(',') },
      { flag: '--static-models', value: all.map(() => servedName(ctx)).join(',') },
      { flag: '--static-model-labels', value: labels.join(',') },
      { flag: '--routing-logic', value: 'disaggregated_prefill_orchestrated' },
      { flag: '--prefill-model-labels', value: 'prefill' },
      { flag: '--decode-model-labels', value: 'decode' },
    ],
    files: [],
    source: ROUTER,
  };
}

export const vllmPools: Pools = {
  member(role, pools, ctx) {
    if (ctx.hardware.kind === 'cpu') {
      return unsupported('the connectors copy the cache of one GPU to another; the CPU backend has none', CONNECTORS);
    }
    if (pools.connector !== 'nixl')
      return unsupported(OTHER_CONNECTORS[pools.connector].reason, OTHER_CONNECTORS[pools.connector].source);
    const config = { kv_connector: 'NixlConnector', kv_role: role === 'prefill' ? 'kv_producer' : 'kv_consumer' };
    return several(arg('--kv-transfer-config', JSON.stringify(config), `${role} pool`), {
      kind: 'env',
      env: { VLLM_NIXL_SIDE_CHANNEL_HOST: OWN_HOST, VLLM_NIXL_SIDE_CHANNEL_PORT: NIXL_PORT },
    });
  },
  router,
};
