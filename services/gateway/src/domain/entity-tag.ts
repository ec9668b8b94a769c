/** Whether an If-None-Match header names `etag`. The comparison is the weak one, as RFC 9110 has it for this header. */
export function matchesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);
}
