import { hash } from 'node:crypto';
import type { Clock } from '@shopscope/clock';
import { LRUCache } from 'lru-cache';

const maxKnown = 20_000;
const knownMs = 10 * 60_000;

/**
 * The sessions and memberships that this instance recently found valid. A request counts for the person of its session before anything is
 * read for it. They give no access.
 *
 * - Another instance opened the session, or it was long ago -> the person is not known, and the request counts for its network address.
 * - A session has ended since -> its requests still count for the person.
 * - Bounds: {@link maxKnown} of each, for {@link knownMs}.
 */
export function createKnownVisitors(clock: Pick<Clock, 'monotonicMs'>) {
  const lasting = { max: maxKnown, ttl: knownMs, ttlResolution: 0, perf: { now: () => clock.monotonicMs() } };
  const people = new LRUCache<string, string>(lasting);
  const memberships = new LRUCache<string, true>(lasting);
  return {
    opened: (sessionToken: string, userId: string) => void people.set(digestOf(sessionToken), userId),
    personOf: (sessionToken: string) => people.get(digestOf(sessionToken)),
    entered: (userId: string, workspaceId: string) => void memberships.set(`${userId} ${workspaceId}`, true),
    isMember: (userId: string, workspaceId: string) => memberships.has(`${userId} ${workspaceId}`),
  };
}

/** Whoever has the token of a session can use the session, so tokens are not stored. */
const digestOf = (token: string) => hash('sha256', token, 'base64url');
