import { expect, it } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply/reply.ts';
import type { Routes } from './route.ts';
import { trackRoutes } from './track-routes.ts';

it('the wait for routes ends when all have ended, whether they succeed or fail', async () => {
  const replies = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
  let calls = 0;
  const route = () => replies[calls++]?.promise as Promise<Reply>;
  const { routes, ended } = trackRoutes({ getStore: route, enrichStores: route } as unknown as Routes);
  const outcomes = [routes.getStore({} as Exchange, {}), routes.enrichStores({} as Exchange, {})];
  let hasEnded = false;
  const waiting = ended().then(() => {
    hasEnded = true;
  });
  replies[0]?.resolve({ status: 200, headers: {}, body: undefined });
  await outcomes[0];
  expect(hasEnded).toBe(false);
  replies[1]?.reject(new Error('the route fails'));
  await waiting;
  await expect(outcomes[1]).rejects.toThrow('the route fails');
});
