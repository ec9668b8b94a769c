import { WorkspaceEvent } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { matchableOf, receives } from './event-match.ts';
import { noFilters } from './filters.ts';
import { messageBody } from './message.ts';

const options = { environment: 'live', apiUrl: 'https://api.example' };
const eventOf = (data: object) =>
  WorkspaceEvent.fromPartial({
    workspaceId: 'ws_1',
    id: 'evt_1',
    sequence: 7,
    type: 'signal.confirmed',
    createdAtMs: Date.UTC(2026, 0, 15),
    related: { type: 'store', id: 'sf_1', path: '/v1/stores/shop.example' },
    data: JSON.stringify(data),
  });

describe('the body of a message', () => {
  it('a message has exactly the data of its event', () => {
    const body = messageBody(eventOf({ id: 'evt_1', n: 1.0 }), options);
    expect(body).toBe(
      '{"type":"signal.confirmed","timestamp":"2026-01-15T00:00:00.000Z","data":{"id":"evt_1","n":1},"sequence":7,"environment":"live"}',
    );
  });

  it('a message above 20 KB has ids and the address of its resource in place of the data', () => {
    const big = { id: 'evt_1', domain: 'shop.example', storefront_id: 'sf_1', external_ids: ['x'.repeat(21_000)] };
    const body = messageBody(eventOf(big), options);
    expect(Buffer.byteLength(body)).toBeLessThan(20 * 1024);
    expect(JSON.parse(body).data).toEqual({
      id: 'evt_1',
      domain: 'shop.example',
      storefront_id: 'sf_1',
      truncated: true,
      related: { type: 'store', id: 'sf_1', url: 'https://api.example/v1/stores/shop.example' },
    });
  });

  it('a message above 20 KB whose data is not a JSON object has the address of its resource only', () => {
    for (const data of ['x'.repeat(21_000), JSON.stringify('x'.repeat(21_000)), `[${'1,'.repeat(21_000)}1]`]) {
      const event = { ...eventOf({}), data };
      expect(JSON.parse(messageBody(event, options)).data).toEqual({
        truncated: true,
        related: { type: 'store', id: 'sf_1', url: 'https://api.example/v1/stores/shop.example' },
      });
    }
  });

  it('nobody receives an event whose data is not a JSON object', () => {
    const everything = { eventTypes: ['signal.confirmed' as const], watchlistIds: [], filters: noFilters };
    const receivesData = (data: string) => receives(everything, matchableOf({ ...eventOf({}), data }));
    expect(['{}', 'x', '[]', 'null', '7'].map(receivesData)).toEqual([true, false, false, false, false]);
  });
});
