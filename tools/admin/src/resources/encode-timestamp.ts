/** ISO 8601 in UTC, as in the API. */
export function encodeTimestamp(ms: number): string;
export function encodeTimestamp(ms: number | undefined): string | null;
export function encodeTimestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
