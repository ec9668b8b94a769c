/**
 * Who a piece of work is done for: the id of the request and its W3C trace context. It is passed explicitly, through
 * every call and event, to the last consumer's log line.
 */
export interface Origin {
  requestId: string;
  traceparent: string;
}

const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header's value when it is a valid version 00 trace context, else undefined. */
export function parseTraceparent(header: string | undefined): string | undefined {
  return header && traceparentPattern.test(header) ? header : undefined;
}

/** The 32 hexadecimal characters that name the trace, or '' when there is none. */
export function traceIdOf(origin: Pick<Origin, 'traceparent'>): string {
  return origin.traceparent.slice(3, 35);
}
