import { Counter, Gauge, Registry } from 'prom-client';
import type { Counters } from '../counters';
import type { EngineService } from './engine-service';

/** Names are llama-server's where it has the same figure, `inferloom:…` otherwise. */
const COUNTERS: { name: string; help: string; read: (c: Counters) => number }[] = [
  { name: 'llamacpp:prompt_tokens_total', help: 'Prompt tokens, cached ones included', read: (c) => c.prompt },
  { name: 'inferloom:cached_tokens_total', help: 'Prompt tokens found in a cache', read: (c) => c.cached },
  { name: 'llamacpp:tokens_predicted_total', help: 'Generated tokens', read: (c) => c.generated },
  {
    name: 'llamacpp:spec_decode_num_drafts_total',
    help: 'Verifications of drafted tokens',
    read: (c) => c.speculationSteps,
  },
  { name: 'llamacpp:spec_decode_num_draft_tokens_total', help: 'Drafted tokens', read: (c) => c.drafted },
  { name: 'llamacpp:spec_decode_num_accepted_tokens_total', help: 'Accepted drafted tokens', read: (c) => c.accepted },
  { name: 'llamacpp:n_decode_total', help: 'Engine steps (decodes of the target)', read: (c) => c.decodeSteps },
  { name: 'inferloom:step_sequences_total', help: 'Sequences in all steps together', read: (c) => c.stepSequences },
  { name: 'inferloom:busy_seconds_total', help: 'Seconds spent in steps', read: (c) => c.busyMs / 1000 },
  { name: 'inferloom:requests_total', help: 'Accepted requests', read: (c) => c.requests },
  {
    name: 'inferloom:requests_rejected_total',
    help: 'Requests refused because the queue was full',
    read: (c) => c.rejected,
  },
  { name: 'inferloom:requests_cancelled_total', help: 'Requests whose client left', read: (c) => c.cancelled },
  { name: 'inferloom:requests_failed_total', help: 'Requests that ended with an engine error', read: (c) => c.failed },
  { name: 'inferloom:prefix_hits_total', help: 'Requests with a cached prefix', read: (c) => c.prefixHits },
  { name: 'inferloom:context_shifts_total', help: 'Context shifts', read: (c) => c.contextShifts },
];

const GAUGES: { name: string; help: string; read: (s: EngineService) => number }[] = [
  { name: 'llamacpp:requests_processing', help: 'Requests in slots', read: (s) => s.scheduler.busySlots },
  { name: 'llamacpp:requests_deferred', help: 'Requests in the queue', read: (s) => s.scheduler.waiting },
  { name: 'llamacpp:kv_cache_usage_ratio', help: 'Share of context tokens in use', read: (s) => s.scheduler.kvUsage },
  { name: 'inferloom:slots', help: 'Sequences decoded at the same time', read: (s) => s.options.sequences },
  { name: 'inferloom:resident_bytes', help: 'Resident memory of this process', read: () => process.memoryUsage.rss() },
];

const registries = new WeakMap<EngineService, Registry>();

/** The Prometheus registry of one engine; figures are read when it is scraped. */
export function engineMetrics(service: EngineService): Registry {
  const known = registries.get(service);
  if (known) return known;
  const registry = new Registry();
  for (const { name, help, read } of COUNTERS) {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [registry],
      collect: () => {
        counter.reset();
        counter.inc(read(service.scheduler.counters));
      },
    });
  }
  for (const { name, help, read } of GAUGES) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read(service)) });
  }
  registries.set(service, registry);
  return registry;
}
