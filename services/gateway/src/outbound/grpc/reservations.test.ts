import { noDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { MeteringServiceService, ReserveRequest, ReserveResult } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createMeteringPeer } from './metering.ts';

const origin = { requestId: '', traceparent: '' };

/** Reservations whose calls end when the test says so, each answered by its charge's id. */
function setUp() {
  const calls: { ids: string[]; end(): void; fail(): void }[] = [];
  const client = {
    reserve({ items }: ReserveRequest) {
      const { promise, resolve, reject } = Promise.withResolvers<{ results: ReserveResult[] }>();
      const ids = items.map(({ chargeId }) => chargeId);
      calls.push({
        ids,
        end: () => resolve({ results: ids.map((exhaustedUnit) => ({ exhaustedUnit }) as ReserveResult) }),
        fail: () => reject(new Error('metering is away')),
      });
      return promise;
    },
  };
  const metering = createMeteringPeer(client as unknown as GrpcClient<typeof MeteringServiceService>);
  const reserve = async (workspaceId: string, chargeId: string, key = '') => {
    const item = { workspaceId, chargeId, fingerprint: Buffer.from(key), origin };
    return (await metering.reserve(item as never, noDeadline)).exhaustedUnit;
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { calls, reserve, turn };
}

it('a named reservation, which may have to wait, shares its call with those of its workspace alone', async () => {
  const { calls, reserve, turn } = setUp();
  const answers = [
    reserve('ws_1', 'plain_1'),
    reserve('ws_1', 'named_1', 'key'),
    reserve('ws_2', 'plain_2'),
    reserve('ws_2', 'named_2', 'key'),
    reserve('ws_1', 'named_3', 'key'),
  ];
  await turn();
  expect(calls.map(({ ids }) => ids)).toEqual([['plain_1', 'plain_2'], ['named_1', 'named_3'], ['named_2']]);
  // The first named call is stuck; everything else is answered.
  calls[0]?.end();
  calls[2]?.end();
  expect(await Promise.all([answers[0], answers[2], answers[3]])).toEqual(['plain_1', 'plain_2', 'named_2']);
  calls[1]?.end();
  expect(await Promise.all([answers[1], answers[4]])).toEqual(['named_1', 'named_3']);
});

it('reservations without a key that come while a call is under way leave together at its end', async () => {
  const { calls, reserve, turn } = setUp();
  const answers = [reserve('ws_1', 'plain_1')];
  await turn();
  answers.push(reserve('ws_2', 'plain_2'));
  await turn();
  answers.push(reserve('ws_1', 'plain_3'));
  expect(calls.map(({ ids }) => ids)).toEqual([['plain_1']]);
  calls[0]?.end();
  await answers[0];
  await expect.poll(() => calls.map(({ ids }) => ids)).toEqual([['plain_1'], ['plain_2', 'plain_3']]);
  calls[1]?.end();
  expect(await Promise.all(answers)).toEqual(['plain_1', 'plain_2', 'plain_3']);
});

it('a named call that fails, fails its own callers', async () => {
  const { calls, reserve, turn } = setUp();
  const lost = [reserve('ws_1', 'named_1', 'key'), reserve('ws_1', 'named_2', 'key')];
  const failed = Promise.all(lost.map((answer) => expect(answer).rejects.toMatchObject({ code: 'internal' })));
  const other = reserve('ws_2', 'named_3', 'key');
  await turn();
  calls[0]?.fail();
  calls[1]?.end();
  await failed;
  expect(await other).toBe('named_3');
});
