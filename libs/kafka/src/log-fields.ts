/** The maximum number of ids in a log line. A batch may hold a thousand events, and more ids do not help to find the line. */
const maxRequestIds = 20;

/** The fields of a log line about several events: the request ids, each once and at most {@link maxRequestIds}, and the environments. */
export function logFieldsOf(events: Iterable<{ requestId: string; environment: string | null }>) {
  const requestIds = new Set<string>();
  const environments = new Set<string>();
  for (const { requestId, environment } of events) {
    if (requestId !== '' && requestIds.size < maxRequestIds) requestIds.add(requestId);
    if (environment) environments.add(environment);
  }
  return { requestIds: [...requestIds], environments: [...environments] };
}
