import type { WorkspaceEvent } from '@shopscope/proto';

/** Returns the data of an event, or undefined if it is not a JSON object. */
export function dataOf({ data }: Pick<WorkspaceEvent, 'data'>): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
