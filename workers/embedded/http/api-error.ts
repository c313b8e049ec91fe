/** A refused request in OpenAI's error format. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly param: string | null = null,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  body(): object {
    const type =
      this.status === 429 ? 'rate_limit_error' : this.status >= 500 ? 'server_error' : 'invalid_request_error';
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

export const badRequest = (message: string, param: string | null = null, code = 'invalid_value'): ApiError =>
  new ApiError(400, code, message, param);
