import { createDeadline } from '@shopscope/async';
import { dayMs } from '@shopscope/clock';
import type { WorkspaceEvent } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noFilters } from '../../src/domain/filters.ts';
import { countMatches, type MatchCount } from '../../src/operations/count-matches.ts';
import { context, live, newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

const maxEvents = 20_000;

describe('the count of matches', () => {
  let system: WebhooksSystem;
  let workspaceId: string;
  beforeAll(async () => {
    system = await startWebhooksSystem('count-matches');
  });
  afterAll(() => system?.stop());
  beforeEach(() => {
    workspaceId = newWorkspaceId();
  });

  const signal = (technology: string, over: Partial<WorkspaceEvent> = {}) =>
    system.newEvent(workspaceId, {
      type: 'signal.confirmed',
      data: JSON.stringify({ type: 'technology_added', technology, confidence: 'high' }),
      ...over,
    });
  const count = (over: object = {}, deps = system.deps, call = context()): Promise<MatchCount> =>
    countMatches(
      deps,
      live(workspaceId),
      { eventTypes: ['signal.confirmed'], watchlistIds: [], filters: noFilters, ...over },
      call,
    );

  it('a count has the events of the last 7 days and of the workspace that the members match', async () => {
    signal('klaviyo');
    system.clock.advance(7 * dayMs + 1);
    for (let n = 0; n < 450; n++) signal('klaviyo');
    signal('klaviyo', { watchlistIds: ['wl_1'] });
    signal('shopify');
    system.newEvent(workspaceId);
    system.newEvent(newWorkspaceId(), { type: 'signal.confirmed', data: '{}' });
    expect(await count()).toEqual({ matched: 452, isCut: false });
    expect(await count({ filters: { ...noFilters, technologies: ['shopify'] } })).toEqual({ matched: 1, isCut: false });
    expect(await count({ watchlistIds: ['wl_1'] })).toEqual({ matched: 1, isCut: false });
    expect(await count({ eventTypes: ['scan.completed', 'signal.confirmed'] })).toEqual({ matched: 453, isCut: false });
    expect(await count({ eventTypes: ['job.finished'] })).toEqual({ matched: 0, isCut: false });
  });

  it('a count reads the latest 20,000 events, and says so if there are more', async () => {
    for (let n = 0; n < maxEvents; n++) signal('klaviyo');
    expect(await count()).toEqual({ matched: maxEvents, isCut: false });
    signal('klaviyo');
    expect(await count()).toEqual({ matched: maxEvents, isCut: true });
  });

  it('a count that takes almost 5 seconds ends with what it has counted, and says that it is cut', async () => {
    for (let n = 0; n < 1_000; n++) signal('klaviyo');
    const { events } = system.deps;
    const slow = {
      ...events,
      async page(...given: Parameters<typeof events.page>) {
        const isCounted = given[1].types.length > 0;
        if (isCounted) system.clock.advance(2_500);
        return events.page(...given);
      },
    };
    const timed = { ...context(), deadline: createDeadline(60_000, { clock: system.clock }) };
    expect(await count({}, { ...system.deps, events: slow }, timed)).toEqual({ matched: 400, isCut: true });
  });
});
