import type { Disaggregation } from '../../plan/policies';
import type { Pools } from '../engine';
import { args, unsupported } from '../lower';
import { poolAddresses } from '../pool-addresses';

const DOCS = 'SGLang docs/advanced_features/pd_disaggregation.md';
const HOOK = 'SGLang 0.5.18, python/sglang/srt/arg_groups/pd_disaggregation_hook.py';

const PORT = 30000;
/** Where a decode engine learns from which prefill engine its blocks come; the default of SGLang. */
const BOOTSTRAP_PORT = 8998;

/** The router sends a request to one engine of each pool at once; they find each other at the bootstrap port. */
function router(pools: Disaggregation) {
  const prefill = poolAddresses(pools, 'prefill', PORT);
  const decode = poolAddresses(pools, 'decode', PORT);
  return {
    command: ['python3', '-m', 'sglang_router.launch_router'],
    image: null,
    args: [
      { flag: '--pd-disaggregation', value: null },
      ...prefill.flatMap((address) => [
        { flag: '--prefill', value: `http://${address}` },
        { flag: String(BOOTSTRAP_PORT), value: null, note: 'bootstrap port of that engine' },
      ]),
      ...decode.map((address) => ({ flag: '--decode', value: `http://${address}` })),
    ],
    files: [],
    source: DOCS,
  };
}

export const sglangPools: Pools = {
  member(role, pools, ctx) {
    if (ctx.hardware.kind === 'cpu') {
      return unsupported('the transfer engines copy the cache of one GPU to another', DOCS);
    }
    if (pools.connector === 'lmcache') {
      return unsupported('between pools SGLang transfers by Mooncake or NIXL; LMCache is a cache tier there', HOOK);
    }
    return args(
      { flag: '--disaggregation-mode', value: role },
      { flag: '--disaggregation-transfer-backend', value: pools.connector },
      ...(role === 'prefill' ? [{ flag: '--disaggregation-bootstrap-port', value: String(BOOTSTRAP_PORT) }] : []),
    );
  },
  router,
};
