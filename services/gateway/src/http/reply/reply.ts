/** The response of a route. send-reply adds the request id and the headers of limits. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** lookup_cached units left, when the charge of this response returned them. */
  usageRemaining?: number | undefined;
}

export const jsonType = 'application/json; charset=utf-8';
export const noStore = 'no-store';

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': jsonType, 'Cache-Control': noStore, ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}
