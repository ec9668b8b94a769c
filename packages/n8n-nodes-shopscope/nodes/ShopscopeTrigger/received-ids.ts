/** More than a retried delivery is behind its first attempt, at a busy workspace. 30 KB in the database of n8n. */
const maxIds = 1_000;

/**
 * Returns the ids with the new one, or null if it is known. n8n stores them after it has started the execution.
 * n8n ends between the two, or two deliveries arrive at the same moment -> an event can start two executions, and none is lost.
 */
export function addReceivedId(ids: readonly string[], id: string): string[] | null {
  return ids.includes(id) ? null : [...ids, id].slice(-maxIds);
}
