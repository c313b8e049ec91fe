import { anyText, eitherOf, list, literal, mapOf, positive, type Schema, strict, text, whole } from './json-schema';
import { pinnedImage } from './kubernetes';

/**
 * The parts of the Compose Specification that files of ours use, in our own words, every object closed. Source:
 * compose-spec/compose-spec, schema/compose-spec.json, and the Docker manual on GPUs (`count` or `device_ids`, never both).
 */
const serviceName: Schema = { pattern: '^[a-zA-Z0-9._-]+$' };
const duration: Schema = { type: 'string', pattern: '^\\d+(s|m)$' };
const nvidia = { 'driver!': literal('nvidia'), 'capabilities!': list(literal('gpu'), 1) };
const device = eitherOf(
  strict({ ...nvidia, 'count!': positive }),
  strict({ ...nvidia, 'device_ids!': list({ type: 'string', pattern: '^\\d+$' }, 1) }),
);

const service = strict({
  'image!': pinnedImage,
  entrypoint: list(text),
  command: list(anyText),
  environment: mapOf(anyText),
  ports: list({ type: 'string', pattern: '^(127\\.0\\.0\\.1:)?\\d+:\\d+$' }),
  volumes: list({ type: 'string', pattern: '^[^:]+:/[^:]+(:ro)?$' }),
  configs: list(strict({ 'source!': text, target: { type: 'string', pattern: '^/' } })),
  ipc: literal('host', 'private', 'shareable'),
  ulimits: mapOf({ type: 'integer' }),
  deploy: strict({ resources: strict({ reservations: strict({ devices: list(device, 1) }) }) }),
  devices: list({ type: 'string', pattern: '^/dev/' }),
  group_add: list(text),
  security_opt: list(text),
  healthcheck: strict({
    'test!': list(text, 2),
    interval: duration,
    timeout: duration,
    retries: whole,
    start_period: duration,
  }),
  depends_on: mapOf(
    strict({ 'condition!': literal('service_started', 'service_healthy', 'service_completed_successfully') }),
  ),
  restart: literal('no', 'always', 'on-failure', 'unless-stopped'),
});

export const composeFile: Schema = strict({
  'services!': { type: 'object', propertyNames: serviceName, additionalProperties: service, minProperties: 1 },
  volumes: mapOf(strict({})),
  configs: mapOf(strict({ 'content!': anyText })),
});
