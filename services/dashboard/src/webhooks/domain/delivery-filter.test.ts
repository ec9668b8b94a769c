import { expect, it } from 'vitest';
import { deliveryFilterOf, positionOf, positionText } from './delivery-filter.ts';

const filterOf = (query: string) => deliveryFilterOf(new URLSearchParams(query));

it('a filter of deliveries has the values of the URL, and nothing for values that it cannot have', () => {
  expect(filterOf('webhook=whk_1&state=failed&event=evt_2&time=24h')).toEqual({
    webhookId: 'whk_1',
    state: 'failed',
    eventId: 'evt_2',
    time: '24h',
  });
  expect(filterOf('webhook=../x&state=lost&event=whk_1&time=constructor')).toEqual({
    webhookId: '',
    state: undefined,
    eventId: '',
    time: undefined,
  });
});

it('a position of a page of deliveries survives its URL, and any other text leads to the first page', () => {
  const position = { createdAtMs: 1_764_000_000_000, deliveryId: 'dlv_01kandxv3w9p4nsbq7g8e2hm5t' };
  expect(positionText(position)).not.toContain('.');
  expect(positionOf(positionText(position))).toEqual(position);
  for (const text of [undefined, '', '1-whk_1', 'x-dlv_1', '1-dlv_1 ']) expect(positionOf(text)).toBeUndefined();
});
