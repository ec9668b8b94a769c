import type { Environment } from '@shopscope/environment';
import type { WorkspaceEvent } from '@shopscope/proto';
import type { SequencedEvent } from '../../domain/event.ts';

/** Returns the message of an event, for workspace-events.v1 and for ListEvents. */
export const workspaceEventOf = (event: SequencedEvent<Environment>): WorkspaceEvent => ({
  workspaceId: event.tenant.workspaceId,
  id: event.id,
  sequence: event.sequence,
  type: event.type,
  createdAtMs: event.createdAt.getTime(),
  related: event.related ?? undefined,
  watchlistIds: [...event.watchlistIds],
  data: event.data,
  subject: event.subject,
});
