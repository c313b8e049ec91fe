/** An engine that did not come up, with all that is known of why. `code` is one of the causes in agent/failure-cause. */
export class LaunchError extends Error {
  constructor(
    readonly code:
      | 'engine-exited'
      | 'engine-not-found'
      | 'engine-refused-arguments'
      | 'start-timeout'
      | 'prepare-failed'
      | 'exported-only',
    message: string,
    readonly details: { logTail: readonly string[]; command: readonly string[] },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
