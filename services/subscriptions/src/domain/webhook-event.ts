import type { Environment, Tenant } from '@shopscope/environment';
import type { NewEvent } from './event.ts';

/** The events that webhooks makes. `resource`: what they are about. */
const kinds = [
  { type: 'webhook.failing', resource: 'webhook' },
  { type: 'webhook.disabled', resource: 'webhook' },
  { type: 'job.finished', resource: 'job' },
] as const;

interface WebhookState {
  id: string;
  type: string;
  related: { type: string; id: string; path: string } | undefined;
  data: string;
}

/** Returns the event of a message of webhooks, or undefined if webhooks has no such event. */
export function webhookEvent<E extends Environment>(
  tenant: Tenant<E>,
  { id, type, related, data }: WebhookState,
): NewEvent<E> | undefined {
  const kind = kinds.find((each) => each.type === type && each.resource === related?.type);
  if (!kind || !related) return undefined;
  return { tenant, id, type: kind.type, watchlistIds: [], related: { ...related, type: kind.resource }, data };
}
