import { WorkspaceEvent } from '@shopscope/proto';
import { expect, test } from 'vitest';
import { eventTypeEntries } from '../../../../services/gateway/src/endpoints/events/event-types.ts';
import { messageBody } from '../../../../services/webhooks/src/domain/message.ts';
import { webhookOf } from './webhook-of.ts';

/** The service sends a body, and `shopscope listen` makes the same one from the API. Neither may import the other. */
const apiUrl = 'https://api.example';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
type Event = Parameters<typeof webhookOf>[0];

const examples = eventTypeEntries.map(({ exampleOf }) => exampleOf(apiUrl) as unknown as Event);

/** The event as its service has published it. */
const publishedOf = ({ id, sequence, type, created_at, related, data }: Event) =>
  WorkspaceEvent.fromPartial({
    id,
    sequence,
    type,
    createdAtMs: Date.parse(created_at),
    data: JSON.stringify(data),
    ...(related && { related: { type: related.type, id: related.id, path: related.url.slice(apiUrl.length) } }),
  });

test.each(examples)(
  'the service and the command listen send the same bytes for $type, also above 20 KB',
  async (event) => {
    const options = { environment: event.environment, apiUrl };
    const { body } = await webhookOf(event, secret);
    expect(body).toBe(messageBody(publishedOf(event), options));
    expect(body).not.toContain('"truncated"');
    const fill = 20 * 1024 - Buffer.byteLength(body) - Buffer.byteLength(',"text":""');
    const members = { other_id: 'x'.repeat(201), list_id: [1], text: '' };
    const variants: Event['data'][] = [
      { ...event.data, text: 'x'.repeat(fill) },
      { ...event.data, text: 'x'.repeat(fill + 1) },
      { ...event.data, text: 'ü'.repeat(10 * 1024) },
      { ...event.data, ...members, text: 'x'.repeat(30_000) },
    ];
    const bodies = await Promise.all(variants.map(async (data) => (await webhookOf({ ...event, data }, secret)).body));
    expect(bodies).toEqual(variants.map((data) => messageBody(publishedOf({ ...event, data }), options)));
    expect(bodies.map((each) => each.includes('"truncated":true'))).toEqual([false, true, true, true]);
  },
);
