/** ISO 8601 in UTC, as in the API. */
export function timestamp(ms: number): string;
export function timestamp(ms: number | undefined): string | null;
export function timestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
