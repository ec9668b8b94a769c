import type { Deadline } from '@shopscope/async';

/** The response of an endpoint. send-reply adds the request id and the headers of limits. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Makes the parts of a body of any length, in place of `body`. See write-stream.ts for its end. */
  stream?: BodyStream | undefined;
  /** The number of lookup_cached units left, if the charge of this response returned it. */
  usageRemaining?: number | undefined;
}

/** Returns the parts of a body. `deadline` is cancelled when nobody reads them any more. */
export type BodyStream = (deadline: Deadline) => AsyncIterable<Buffer>;

export const jsonType = 'application/json; charset=utf-8';

const jsonHeaders = { 'Content-Type': jsonType, 'Cache-Control': 'no-store' };

/** The reply without a body, of a deletion. */
export const emptyReply = (): Reply => ({ status: 204, headers: { 'Cache-Control': 'no-store' }, body: undefined });

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...jsonHeaders, ...headers }, body: Buffer.from(JSON.stringify(value)) };
}

/** A page whose rows are JSON already. */
export function pageReply(rows: readonly Buffer[], nextCursor: string | null): Reply {
  const parts = rows.flatMap((row, index) => (index === 0 ? [row] : [comma, row]));
  const end = Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`);
  return { status: 200, headers: jsonHeaders, body: Buffer.concat([pageStart, ...parts, end]) };
}
const pageStart = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** A reply with one line of JSON per row. */
export const linesReply = (stream: BodyStream): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  body: undefined,
  stream,
});

/** A reply that can be stored and replayed. `body` is JSON. `remaining` is the number of lookup_cached units that its charge left. */
export function storableReply(status: number, body: Buffer | object, remaining?: number) {
  const usage = remaining === undefined ? {} : { 'X-Usage-Remaining': String(remaining) };
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { status, headers: { ...jsonHeaders, ...usage }, body: bytes };
}
