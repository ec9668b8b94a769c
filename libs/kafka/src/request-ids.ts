/** The maximum number of ids in a log line. A batch may hold a thousand events, and more ids do not help to find the line. */
const maxRequestIds = 20;

/** Returns the request ids for a log line, each once and at most {@link maxRequestIds}. */
export function distinctIds(requestIds: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const id of requestIds) {
    if (id !== '') ids.add(id);
    if (ids.size === maxRequestIds) break;
  }
  return [...ids];
}
