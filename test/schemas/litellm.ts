import { list, literal, number, positive, type Schema, strict, text, whole } from './json-schema';

/** A key of the environment, never its value; `none` for a server that asks for no key. */
const secretRef: Schema = { type: 'string', pattern: '^(os\\.environ/[A-Z][A-Z0-9_]*|none)$' };

/**
 * The parts of LiteLLM's proxy configuration that files of ours use, closed. Read from litellm 1.110.2: ConfigYAML and
 * ConfigGeneralSettings (proxy/_types.py), UpdateRouterConfig and AllowedFailsPolicy (types/router.py); the same files
 * were parsed by those classes.
 */
export const litellmConfigSchema: Schema = strict({
  'model_list!': list(
    strict({
      'model_name!': text,
      'litellm_params!': strict({
        'model!': { type: 'string', pattern: '^openai/.+' },
        'api_base!': { type: 'string', pattern: '^https?://.+/v1$' },
        'api_key!': secretRef,
        timeout: number,
        stream_timeout: number,
      }),
      model_info: strict({
        'allowed_fails_policy!': strict({
          TimeoutErrorAllowedFails: whole,
          InternalServerErrorAllowedFails: whole,
          BadGatewayErrorAllowedFails: whole,
          ServiceUnavailableErrorAllowedFails: whole,
        }),
        'cooldown_time!': number,
      }),
    }),
    1,
  ),
  'router_settings!': strict({
    'routing_strategy!': literal('simple-shuffle', 'least-busy', 'usage-based-routing-v2', 'latency-based-routing'),
    optional_pre_call_checks: list(literal('session_affinity', 'prompt_caching', 'deployment_affinity')),
    num_retries: whole,
    timeout: number,
  }),
  litellm_settings: strict({ default_key_generate_params: strict({ rpm_limit: positive, tpm_limit: positive }) }),
  'general_settings!': strict({
    'master_key!': secretRef,
    max_in_flight_requests_per_worker: positive,
    max_queued_requests_per_worker: whole,
    admission_queue_timeout_seconds: number,
    max_request_size_mb: positive,
  }),
});
