import type { ReserveItem, ReserveResult } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createReservations } from './reservations.ts';

/** Reservations whose calls end when the test says so, each answered by its charge's id. */
function setUp() {
  const calls: { ids: string[]; end(): void; fail(): void }[] = [];
  const reservations = createReservations(async (items: { item: ReserveItem }[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReserveResult[]>();
    const ids = items.map(({ item }) => item.chargeId);
    calls.push({
      ids,
      end: () => resolve(ids.map((exhaustedUnit) => ({ exhaustedUnit }) as ReserveResult)),
      fail: () => reject(new Error('metering is away')),
    });
    return promise;
  });
  const load = async (workspaceId: string, chargeId: string, key?: string) => {
    const item = { workspaceId, chargeId, fingerprint: Buffer.from(key ?? '') } as ReserveItem;
    return (await reservations.load({ item })).exhaustedUnit;
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { calls, load, turn };
}

it('a named reservation, which may have to wait, shares its call with those of its workspace alone', async () => {
  const { calls, load, turn } = setUp();
  const answers = [
    load('ws_1', 'plain_1'),
    load('ws_1', 'named_1', 'key'),
    load('ws_2', 'plain_2'),
    load('ws_2', 'named_2', 'key'),
    load('ws_1', 'named_3', 'key'),
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

it('a named call that fails, fails its own callers', async () => {
  const { calls, load, turn } = setUp();
  const lost = [load('ws_1', 'named_1', 'key'), load('ws_1', 'named_2', 'key')];
  const failed = Promise.all(lost.map((answer) => expect(answer).rejects.toThrow('metering is away')));
  const other = load('ws_2', 'named_3', 'key');
  await turn();
  calls[0]?.fail();
  calls[1]?.end();
  await failed;
  expect(await other).toBe('named_3');
});
