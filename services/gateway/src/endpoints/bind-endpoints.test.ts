import { expect, it } from 'vitest';
import type { Reply } from '../http/reply/reply.ts';
import type { ServedOperation, ValidatedRequest } from '../http/request.ts';
import { bindEndpoints } from './bind-endpoints.ts';
import type { Dependencies } from './dependencies.ts';
import { endpoints } from './endpoints.ts';

it('the wait for handlers ends when all have ended, whether they succeed or fail', async () => {
  const replies = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
  let calls = 0;
  const handle = () => replies[calls++]?.promise as Promise<Reply>;
  const slow = endpoints.map((endpoint) => ({ ...endpoint, bind: () => ({ ...endpoint, handle }) }));
  const { operations, ended } = bindEndpoints(slow, {} as Dependencies);
  const outcomes = (operations as ServedOperation[]).slice(0, 2).map((bound) => bound.handle({} as ValidatedRequest));
  let hasEnded = false;
  const waiting = ended().then(() => {
    hasEnded = true;
  });
  replies[0]?.resolve({ status: 200, headers: {}, body: undefined });
  await outcomes[0];
  expect(hasEnded).toBe(false);
  replies[1]?.reject(new Error('the handler fails'));
  await waiting;
  await expect(outcomes[1]).rejects.toThrow('the handler fails');
});
