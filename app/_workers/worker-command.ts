/** What to type on a worker's host, in a clone of this project. */
export const workerCommand = (server: string, token: string): string =>
  `npx inferloom worker --server ${server} --token ${token}`;
