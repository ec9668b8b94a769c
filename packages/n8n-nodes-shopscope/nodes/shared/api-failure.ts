/** A request that failed: an error of the API, a response that is not one of the API, or no response. */
export class ApiFailure extends Error {
  /** The error code of the API, `unexpected_response` or `no_response`. */
  readonly code: string;
  /** 0 without a response. */
  readonly status: number;
  /** Empty if the response has none. */
  readonly requestId: string;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: Pick<ApiFailure, 'code' | 'status' | 'requestId' | 'retryAfterMs'>) {
    super(message);
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}
