import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createKnownVisitors } from '../outbound/known-visitors.ts';
import { visitorOf } from './visitor-of.ts';

const cookies = 'theme=dark; __Host-shopscope.session_token=token-1.signature%3D; other=1';
const path = '/workspaces/ws_1/usage?unit=history_query';

describe('visitorOf', () => {
  it('a request counts for nobody until its session and membership were found valid, and again after ten minutes', () => {
    const clock = new ManualClock();
    // The cache takes the instant 0 for no time.
    clock.advance(1);
    const visitors = createKnownVisitors(clock);
    expect(visitorOf({ visitors }, { cookies, path })).toEqual({ userId: undefined, workspaceId: undefined });
    visitors.opened('token-1', 'usr_1');
    expect(visitorOf({ visitors }, { cookies, path })).toEqual({ userId: 'usr_1', workspaceId: undefined });
    visitors.entered('usr_1', 'ws_1');
    expect(visitorOf({ visitors }, { cookies, path })).toEqual({ userId: 'usr_1', workspaceId: 'ws_1' });
    clock.advance(10 * 60_000 + 1);
    expect(visitorOf({ visitors }, { cookies, path })).toEqual({ userId: undefined, workspaceId: undefined });
  });

  it('a request counts for no workspace that only another person entered, and for nobody with another token', () => {
    const visitors = createKnownVisitors(new ManualClock());
    visitors.opened('token-1', 'usr_1');
    visitors.entered('usr_2', 'ws_1');
    expect(visitorOf({ visitors }, { cookies, path })).toEqual({ userId: 'usr_1', workspaceId: undefined });
    expect(visitorOf({ visitors }, { cookies: cookies.replace('token-1', 'token-2'), path }).userId).toBeUndefined();
    expect(visitorOf({ visitors }, { cookies: '', path }).userId).toBeUndefined();
  });
});
