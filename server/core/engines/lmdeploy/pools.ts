import type { Pools } from '../engine';
import { args, unsupported } from '../lower';

const DISTSERVE = 'LMDeploy v0.16.0, lmdeploy/pytorch/disagg/README.md';
const CLI = 'LMDeploy v0.16.0, lmdeploy/cli/utils.py, --migration-backend';

/** Port of the proxy, at which the engines of both pools report: the same as an engine's, on a host of its own. */
const PORT = 23333;

const BACKENDS = { nixl: null, lmcache: null, mooncake: 'Mooncake' } as const;

/** Engines report to the proxy, which sends a request to a prefill engine and then to a decode engine. */
export const lmdeployPools: Pools = {
  member(role, { connector }, ctx) {
    if (ctx.runtime !== 'pytorch') {
      return unsupported('only the PyTorch backend hands its cache over; TurboMind does not', DISTSERVE);
    }
    if (ctx.hardware.kind === 'cpu') return unsupported('the cache of one GPU is copied to another', DISTSERVE);
    const backend = BACKENDS[connector];
    if (backend === null) {
      return unsupported(`LMDeploy migrates by DLSlime or Mooncake, not by ${connector}: take Mooncake`, CLI);
    }
    return args(
      { flag: '--role', value: role === 'prefill' ? 'Prefill' : 'Decode' },
      { flag: '--migration-backend', value: backend },
      { flag: '--proxy-url', value: `http://router:${PORT}`, note: 'where the engine reports' },
    );
  },
  router: () => ({
    command: ['lmdeploy', 'serve', 'proxy'],
    image: null,
    args: [{ flag: '--serving-strategy', value: 'DistServe' }],
    files: [],
    source: DISTSERVE,
  }),
};
