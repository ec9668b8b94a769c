/** What failed. The list is closed. */
export type OutboundErrorCode = keyof typeof publicTexts;

/** Texts for the people who own the server. They name no address, because an address could disclose the network of this system. */
export const publicTexts = {
  dns_failure: 'The host name has no address.',
  dns_unavailable: 'The host name could not be resolved.',
  blocked_address: 'The host does not have public addresses only.',
  connection_refused: 'The server did not accept the connection.',
  connection_reset: 'The server closed the connection before the end of its response.',
  /** This system has no route or no free port. */
  egress_broken: 'The server could not be reached from our network.',
  tls_failure:
    'There is no secure connection: the server needs TLS 1.2 or later and a valid certificate of the host name.',
  timeout: 'The server did not finish its response in time.',
  invalid_response: 'The response is not valid HTTP.',
} as const;

/** A request that failed for a reason outside this process. Its message and detail may name addresses and are for logs. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  readonly detail: string;

  constructor(code: OutboundErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = 'OutboundError';
    this.code = code;
    this.detail = detail;
  }

  /** Whether this system may be the cause, and not the server. */
  get isUndecided(): boolean {
    return this.code === 'dns_unavailable' || this.code === 'egress_broken';
  }
}
