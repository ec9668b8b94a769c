import type { Environment } from '@shopscope/environment';

/**
 * The request id and the W3C trace context of the HTTP request that caused the work, and the environment of its caller. Every call and
 * event carries them explicitly, so that every log line about the request has them.
 */
export interface Origin {
  requestId: string;
  traceparent: string;
  /** Null if there is no authenticated caller: work of the system, or a request before its authentication. */
  environment: Environment | null;
}

/** The origin of work that no request caused. */
export const noOrigin: Origin = Object.freeze({ requestId: '', traceparent: '', environment: null });

/** Returns the members of an origin that a log line has. */
export const originFields = ({ requestId, environment }: Pick<Origin, 'requestId' | 'environment'>) => ({
  requestId,
  environment: environment ?? undefined,
});

const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the header's value if it is a valid version 00 trace context, otherwise undefined. */
export function parseTraceparent(header: string | undefined): string | undefined {
  return header && traceparentPattern.test(header) ? header : undefined;
}

/** Returns the trace id, 32 hexadecimal characters, or '' without a trace. */
export function traceIdOf(origin: Pick<Origin, 'traceparent'>): string {
  return origin.traceparent.slice(3, 35);
}
