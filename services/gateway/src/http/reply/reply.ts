/** The response of an endpoint. send-reply adds the request id and the headers of limits. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** The number of lookup_cached units left, if the charge of this response returned it. */
  usageRemaining?: number | undefined;
}

export const jsonType = 'application/json; charset=utf-8';

const jsonHeaders = { 'Content-Type': jsonType, 'Cache-Control': 'no-store' };

/** The reply without a body, of a deletion. */
export const emptyReply = (): Reply => ({ status: 204, headers: { 'Cache-Control': 'no-store' }, body: undefined });

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...jsonHeaders, ...headers }, body: Buffer.from(JSON.stringify(value)) };
}

/** A reply that can be stored and replayed. `body` is JSON. `remaining` is the number of lookup_cached units that its charge left. */
export function storableReply(status: number, body: Buffer | object, remaining?: number) {
  const usage = remaining === undefined ? {} : { 'X-Usage-Remaining': String(remaining) };
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { status, headers: { ...jsonHeaders, ...usage }, body: bytes };
}
