/** How a script runs a pipeline on this server with an API key. */
export const runCommand = (server: string, key: string): string =>
  `npx inferloom run FILE --server ${server} --api-key ${key}`;
