/** What a route answers with; headers of limits and the request id are added where it is sent. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** lookup_cached units left, when the answer's own charge has told. */
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
