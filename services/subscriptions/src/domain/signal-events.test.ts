import { describe, expect, it } from 'vitest';
import { maxEventDataBytes } from './event.ts';
import { maxWatchlistIds, type Signal, signalEvents, type WatchedStore } from './signal-events.ts';

const signal: Signal = {
  id: 'evt_signal',
  type: 'technology_added',
  technology: 'klaviyo',
  from: null,
  to: 'active',
  confidence: 'high',
  effectiveAtMs: Date.UTC(2026, 0, 14),
  confirmedAtMs: Date.UTC(2026, 0, 15),
  domain: 'shop.example',
  storefrontId: 'sf_1',
  retraction: null,
};
const watched = (over: Partial<WatchedStore> = {}): WatchedStore => ({
  workspaceId: 'ws_a',
  watchlistId: 'wl_1',
  isActive: true,
  externalId: null,
  signalTypes: ['technology_added'],
  technologies: [],
  ...over,
});

describe('the events of a signal', () => {
  it('a workspace is told once of a signal, with the ids of all its watchlists that match', () => {
    const events = signalEvents('live', signal, [
      watched({ watchlistId: 'wl_2', externalId: 'b' }),
      watched({ workspaceId: 'ws_b', watchlistId: 'wl_3' }),
      watched({ externalId: 'a' }),
      watched({ watchlistId: 'wl_4', externalId: 'a' }),
      watched({ watchlistId: 'wl_paused', isActive: false, externalId: 'p' }),
    ]);
    expect(events.map(({ tenant, watchlistIds }) => [tenant.workspaceId, watchlistIds])).toEqual([
      ['ws_a', ['wl_1', 'wl_2', 'wl_4']],
      ['ws_b', ['wl_3']],
    ]);
    expect(events[0]).toMatchObject({
      id: signal.id,
      type: 'signal.confirmed',
      tenant: { workspaceId: 'ws_a', environment: 'live' },
      related: { type: 'store', id: 'sf_1', path: '/v1/stores/shop.example' },
    });
    expect(JSON.parse(events[0]?.data ?? '')).toEqual({
      id: 'evt_signal',
      type: 'technology_added',
      technology: 'klaviyo',
      from: null,
      to: 'active',
      confidence: 'high',
      effective_at: '2026-01-14T00:00:00.000Z',
      confirmed_at: '2026-01-15T00:00:00.000Z',
      domain: 'shop.example',
      storefront_id: 'sf_1',
      external_ids: ['a', 'b'],
      watchlist_ids: ['wl_1', 'wl_2', 'wl_4'],
    });
  });

  it.each([
    ['is paused', { isActive: false }],
    ['asks for other types of signals', { signalTypes: ['platform_changed'] }],
    ['asks for other technologies', { technologies: ['yotpo'] }],
  ])('a watchlist that %s matches no signal', (_, over) => {
    expect(signalEvents('live', signal, [watched(over)])).toEqual([]);
  });

  it('a watchlist that asks for the technology of the signal matches', () => {
    expect(signalEvents('live', signal, [watched({ technologies: ['yotpo', 'klaviyo'] })])).toHaveLength(1);
  });

  it('an event of very many watchlists stays below the largest data of an event', () => {
    const entries = Array.from({ length: 2 * maxWatchlistIds }, (_, n) =>
      watched({ watchlistId: `wl_${String(n).padStart(30, '0')}`, externalId: `${n}${'\u{1f6d2}'.repeat(195)}` }),
    );
    const [event, ...others] = signalEvents('live', signal, entries);
    expect(others).toEqual([]);
    expect(event?.watchlistIds).toHaveLength(maxWatchlistIds);
    expect(Buffer.byteLength(event?.data ?? '')).toBeLessThanOrEqual(maxEventDataBytes);
    expect(JSON.parse(event?.data ?? '').external_ids.length).toBeGreaterThan(200);
  });

  it('the retraction of a signal is an event of its own in each workspace', () => {
    const retracted = { ...signal, retraction: { atMs: Date.UTC(2026, 0, 16), reason: 'technology_seen_again' } };
    const eventsOf = () => signalEvents('live', retracted, [watched(), watched({ workspaceId: 'ws_b' })]);
    const [first, second] = eventsOf();
    expect(first?.type).toBe('signal.retracted');
    expect(new Set([signal.id, first?.id, second?.id]).size).toBe(3);
    expect(eventsOf().map(({ id }) => id)).toEqual([first?.id, second?.id]);
    expect(JSON.parse(first?.data ?? '')).toMatchObject({
      id: 'evt_signal',
      retracted_at: '2026-01-16T00:00:00.000Z',
      retracted_reason: 'technology_seen_again',
    });
  });
});
