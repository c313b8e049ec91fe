import { oneLine } from '../comment';

export const KEY_FOLDER = '/etc/nginx/inferloom';

/**
 * A script that writes the clients' keys, and the server's own, where the configuration includes them from. Keys come
 * from the environment; a key that is not set or holds odd characters ends it.
 */
export function keyScript(
  clientSecrets: readonly string[],
  serverSecret: string | null,
  head: readonly string[],
): string {
  const lines = [
    '#!/usr/bin/env bash',
    ...head.map((line) => `# ${oneLine(line)}`),
    'set -euo pipefail',
    'umask 077',
    `folder="\${1:-${KEY_FOLDER}}"`,
    'mkdir -p -- "$folder"',
    '',
    '# The value of a variable; letters, digits and the signs of a bearer token only.',
    'secret() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    '  local value="${!1:?set it to the secret}"',
    '  if [[ ! "$value" =~ ^[A-Za-z0-9._~+/=-]+$ ]]; then',
    '    echo "$1 holds characters that a bearer token has not" >&2',
    '    exit 1',
    '  fi',
    '  printf %s "$value"',
    '}',
    '',
    ...(clientSecrets.length === 0
      ? []
      : [
          '{',
          ...clientSecrets.flatMap((name, i) => [
            `  key="$(secret ${name})"`,
            `  printf '"Bearer %s" client-${i + 1};\\n' "$key"`,
          ]),
          '} > "$folder/keys.map"',
        ]),
    ...(serverSecret === null
      ? []
      : [
          `key="$(secret ${serverSecret})"`,
          `printf 'proxy_set_header Authorization "Bearer %s";\\n' "$key" > "$folder/server-key.conf"`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
