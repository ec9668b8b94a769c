/** A POST request to the server of an endpoint. */
export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface OutboundResponse {
  status: number;
  /** Headers with names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The first bytes of the body. */
  body: Uint8Array;
}

/**
 * Sends requests to servers of the callers' choice, to public addresses only. It resolves with a closed code of what failed, and bounds the
 * time and the bytes of a response.
 */
export interface Sender {
  send(
    request: OutboundRequest,
    abort: AbortSignal,
  ): Promise<{ response: OutboundResponse; error?: never } | { response?: never; error: { code: string } }>;
  /** Returns why no request can be sent to the URL, as a sentence, or undefined. */
  urlProblemOf(url: string, abort: AbortSignal): Promise<string | undefined>;
}
