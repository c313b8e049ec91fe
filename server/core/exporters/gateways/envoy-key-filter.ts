/** Header in which the filter tells the rate limiter who the client is; one that a client sends itself is overwritten. */
export const CLIENT_HEADER = 'x-llm-client';

const luaString = (text: string): string => `"${text.replace(/[\\"]/g, (char) => `\\${char}`)}"`;

/**
 * Lua for Envoy: looks the bearer token up among the secrets of the environment, answers 401 where it is none of them,
 * and hands the request on with the server's own key. A secret that is not set is nobody's key.
 */
export function keyFilter(clientSecrets: readonly string[], serverSecret: string | null, unauthorized: string): string {
  const clients = clientSecrets.map((name, i) => `  { env = ${luaString(name)}, client = "client-${i + 1}" },`);
  const upstream =
    serverSecret === null
      ? ['  headers:remove("authorization")']
      : [`  headers:replace("authorization", "Bearer " .. (os.getenv(${luaString(serverSecret)}) or ""))`];
  const lookUp = [
    '  local client = by_token[headers:get("authorization") or ""]',
    '  if client == nil then',
    `    handle:respond({ [":status"] = "401", ["content-type"] = "application/json", ["www-authenticate"] = "Bearer" }, ${luaString(unauthorized)})`,
    '    return',
    '  end',
  ];
  const noKeys = ['  local client = headers:get("authorization") or "nobody"'];
  return `${[
    'local clients = {',
    ...clients,
    '}',
    'local by_token = {}',
    'for _, entry in ipairs(clients) do',
    '  local secret = os.getenv(entry.env)',
    '  if secret ~= nil and secret ~= "" then by_token["Bearer " .. secret] = entry.client end',
    'end',
    '',
    'function envoy_on_request(handle)',
    '  local headers = handle:headers()',
    '  if headers:get(":path") == "/health" then return end',
    ...(clientSecrets.length === 0 ? noKeys : lookUp),
    `  headers:replace("${CLIENT_HEADER}", client)`,
    ...(clientSecrets.length === 0 && serverSecret === null ? [] : upstream),
    'end',
  ].join('\n')}\n`;
}
