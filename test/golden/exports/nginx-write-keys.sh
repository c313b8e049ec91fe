#!/usr/bin/env bash
# Writes the keys that nginx.conf includes. Run it as root before NGINX starts.
set -euo pipefail
umask 077
folder="${1:-/etc/nginx/inferloom}"
mkdir -p -- "$folder"

# The value of a variable; letters, digits and the signs of a bearer token only.
secret() {
  local value="${!1:?set it to the secret}"
  if [[ ! "$value" =~ ^[A-Za-z0-9._~+/=-]+$ ]]; then
    echo "$1 holds characters that a bearer token has not" >&2
    exit 1
  fi
  printf %s "$value"
}

{
  key="$(secret INFERLOOM_SECRET_WEB)"
  printf '"Bearer %s" client-1;\n' "$key"
  key="$(secret INFERLOOM_SECRET_BATCH)"
  printf '"Bearer %s" client-2;\n' "$key"
} > "$folder/keys.map"
key="$(secret INFERLOOM_SECRET_API_KEY)"
printf 'proxy_set_header Authorization "Bearer %s";\n' "$key" > "$folder/server-key.conf"
