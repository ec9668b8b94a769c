import { expect, it } from 'vitest';
import type { Reply } from '../http/reply/reply.ts';
import type { ServedOperation, ValidatedRequest } from '../http/request.ts';
import { bindEndpoints } from './bind-endpoints.ts';
import type { Endpoint } from './define-endpoint.ts';
import type { Dependencies, EveryEnvironment } from './dependencies.ts';
import { endpoints } from './endpoints.ts';

it('the wait for handlers ends when all have ended, whether they succeed or fail', async () => {
  const replies = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
  let calls = 0;
  const handle = () => replies[calls++]?.promise as Promise<Reply>;
  const slow = endpoints.map((endpoint) => ({ ...endpoint, bind: () => ({ ...endpoint, handle }) }));
  const { operations, ended } = bindEndpoints(slow, {} as EveryEnvironment);
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

it('the environment of the key chooses the dependencies of each step, and a request without a key gets the live ones', async () => {
  const asked: string[] = [];
  const endpoint = { ...endpoints[0], id: 'one' } as Endpoint;
  const bind = (deps: Dependencies) => {
    const named = (deps as unknown as { name: string }).name;
    return {
      ...endpoint,
      begin: async () => void asked.push(`begin ${named}`),
      handle: async () => {
        asked.push(`handle ${named}`);
        return { status: 200, headers: {}, body: undefined };
      },
    };
  };
  const deps = { live: { name: 'live' }, test: { name: 'test' } } as unknown as EveryEnvironment;
  const [bound] = bindEndpoints([{ ...endpoint, bind } as Endpoint], deps).operations as [ServedOperation];
  for (const caller of [{ keyEnvironment: 'test' }, { keyEnvironment: 'live' }, undefined]) {
    const request = { caller } as ValidatedRequest;
    await bound.begin?.(request);
    await bound.handle(request);
  }
  expect(asked).toEqual(['test', 'live', 'live'].flatMap((name) => [`begin ${name}`, `handle ${name}`]));
});
