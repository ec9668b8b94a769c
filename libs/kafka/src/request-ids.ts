/** More ids do not help to find a log line, and a batch may hold a thousand events. */
const requestIdsMax = 20;

/** Ids of the requests that events are of, for a log line: each once, up to a bound. */
export function distinctIds(requestIds: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const id of requestIds) {
    if (id !== '') ids.add(id);
    if (ids.size === requestIdsMax) break;
  }
  return [...ids];
}
