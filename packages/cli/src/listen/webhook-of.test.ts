import type { Event } from '@shopscope/client';
import { expect, test } from 'vitest';
import { webhookOf } from './webhook-of.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const related = { type: 'store', id: 'sf_1', url: 'https://api.shopscope.example/v1/stores/shop.example' };
const eventWith = (data: Event['data'], more: Partial<Event> = {}): Event => ({
  id: 'evt_1',
  sequence: 7,
  type: 'signal.confirmed',
  created_at: '2026-01-15T12:00:00.000Z',
  environment: 'test',
  related,
  data,
  ...more,
});
const dataOf = async (event: Event) => JSON.parse((await webhookOf(event, secret)).body).data;

test('webhookOf sends a body of 20 KB whole, and of a larger one the ids of its data', async () => {
  const data = { id: 'evt_1', domain: 'shop.example', storefront_id: 'sf_1', technology: 'klaviyo', text: '' };
  const { body: empty } = await webhookOf(eventWith(data), secret);
  const text = 'x'.repeat(20 * 1024 - empty.length);
  expect(await dataOf(eventWith({ ...data, text }))).toEqual({ ...data, text });
  const ids = { id: 'evt_1', domain: 'shop.example', storefront_id: 'sf_1' };
  expect(await dataOf(eventWith({ ...data, text: `${text}x` }))).toEqual({ ...ids, truncated: true, related });
});

test('webhookOf leaves out a related resource that does not exist and ids that are no ids', async () => {
  const data = { key_id: 'key_1', other_id: 'x'.repeat(30_000), list_id: [1] };
  expect(await dataOf(eventWith(data, { related: null }))).toEqual({ key_id: 'key_1', truncated: true });
});
