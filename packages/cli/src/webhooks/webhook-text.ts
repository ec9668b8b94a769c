import type { components } from '@shopscope/client';
import { pairs } from '../table.ts';

type Webhook = components['schemas']['Webhook'];

export const webhookHeadings = ['WEBHOOK', 'URL', 'STATE', 'EVENTS', 'UPDATED'];
export const webhookRow = (webhook: Webhook): string[] => [
  webhook.id,
  webhook.url,
  webhook.state,
  eventsOf(webhook),
  webhook.updated_at,
];

const eventsOf = ({ event_types: types }: Webhook): string =>
  types.length > 1 ? `${types[0]} and ${types.length - 1} more` : (types[0] ?? '');

/** A new secret comes last. */
export const webhookText = (webhook: Webhook & { secret?: string | null }): string =>
  pairs([
    ['Webhook', webhook.id],
    ['URL', webhook.url],
    ['State', webhook.disabled_reason ? `${webhook.state} (${webhook.disabled_reason})` : webhook.state],
    ['Events', webhook.event_types.join(', ')],
    ['Description', webhook.description ?? '–'],
    ['Watchlists', webhook.watchlist_ids.join(', ') || 'any'],
    ['Filters', filtersText(webhook.filters) || 'none'],
    ['Per minute', webhook.max_per_minute === null ? 'no bound' : `${webhook.max_per_minute} attempts`],
    ['Headers', Object.keys(webhook.headers).join(', ') || 'none'],
    ['Created', webhook.created_at],
    ['Updated', webhook.updated_at],
    ...(webhook.secret ? [['Secret', webhook.secret] as const] : []),
  ]);

const filtersText = (filters: Webhook['filters']): string =>
  Object.entries(filters)
    .map(([name, value]) => [name, [value ?? []].flat().join(',')] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}=${text}`)
    .join(' ');
