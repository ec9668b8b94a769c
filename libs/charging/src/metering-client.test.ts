import { noDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type {
  LeasableUnit,
  LeaseAllowanceRequest,
  MeteringServiceService,
  ReserveRequest,
  ReserveResult,
} from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createMeteringClient, type LeaseCall } from './metering-client.ts';

const origin = { requestId: '', traceparent: '', environment: 'live' as const };

it('a usage event that does not count rejects its own call only', async () => {
  const recordUsage = async () => ({ refusedChargeIds: ['chg_2'] });
  const metering = createMeteringClient({ recordUsage } as unknown as GrpcClient<typeof MeteringServiceService>);
  const record = (chargeId: string) =>
    metering.recordUsage({ workspaceId: 'ws_1', chargeId } as never, origin, noDeadline);
  expect(await Promise.allSettled(['chg_1', 'chg_2', 'chg_3'].map(record))).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'internal', message: expect.stringContaining('chg_2') } },
    { status: 'fulfilled' },
  ]);
});

it('lease calls name the unit of each lease, and return the grants in the order of their leases', async () => {
  const requests: LeaseAllowanceRequest[] = [];
  const leaseAllowance = async (request: LeaseAllowanceRequest) => {
    requests.push(request);
    return { grants: request.asks.map(({ leaseId }) => ({ granted: leaseId })) };
  };
  const metering = createMeteringClient({ leaseAllowance } as unknown as GrpcClient<typeof MeteringServiceService>);
  const ask = (unit: LeasableUnit, leaseId: string) => ({ unit, leaseId, wanted: 1 }) as LeaseCall['asks'][number];
  const asks = [ask('historyQuery', 'q1'), ask('lookupCached', 'l1'), ask('historyQuery', 'q2')];
  const grants = await metering.leaseAllowance({ gatewayId: 'gw_1', asks }, noDeadline);
  expect(grants).toEqual(['q1', 'l1', 'q2'].map((granted) => ({ granted })));
  expect(requests[0]?.asks.map(({ unit }) => unit)).toEqual(['history_query', 'lookup_cached', 'history_query']);
});

/** A metering service whose calls end when the test ends them. Each result carries the id of its charge. */
function setUp() {
  const calls: { ids: string[]; end(): void; fail(): void }[] = [];
  const client = {
    reserve({ items }: ReserveRequest) {
      const { promise, resolve, reject } = Promise.withResolvers<{ results: ReserveResult[] }>();
      const ids = items.map(({ chargeId }) => chargeId);
      calls.push({
        ids,
        end: () => resolve({ results: ids.map((exhaustedUnit) => ({ exhaustedUnit }) as ReserveResult) }),
        fail: () => reject(new Error('metering is unavailable')),
      });
      return promise;
    },
  };
  const metering = createMeteringClient(client as unknown as GrpcClient<typeof MeteringServiceService>);
  const reserve = async (workspaceId: string, chargeId: string, key = '') => {
    const item = { workspaceId, chargeId, fingerprint: Buffer.from(key) };
    return (await metering.reserve(item as never, origin, noDeadline)).exhaustedUnit;
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { calls, reserve, turn };
}

it('a reservation with an Idempotency-Key shares its call only with those of its workspace', async () => {
  const { calls, reserve, turn } = setUp();
  const results = [
    reserve('ws_1', 'plain_1'),
    reserve('ws_1', 'keyed_1', 'key'),
    reserve('ws_2', 'plain_2'),
    reserve('ws_2', 'keyed_2', 'key'),
    reserve('ws_1', 'keyed_3', 'key'),
  ];
  await turn();
  expect(calls.map(({ ids }) => ids)).toEqual([['plain_1', 'plain_2'], ['keyed_1', 'keyed_3'], ['keyed_2']]);
  // The call of ws_1 with an Idempotency-Key hangs. All other calls end.
  calls[0]?.end();
  calls[2]?.end();
  expect(await Promise.all([results[0], results[2], results[3]])).toEqual(['plain_1', 'plain_2', 'keyed_2']);
  calls[1]?.end();
  expect(await Promise.all([results[1], results[4]])).toEqual(['keyed_1', 'keyed_3']);
});

it('reservations without an Idempotency-Key that arrive during a call share the next call', async () => {
  const { calls, reserve, turn } = setUp();
  const results = [reserve('ws_1', 'plain_1')];
  await turn();
  results.push(reserve('ws_2', 'plain_2'));
  await turn();
  results.push(reserve('ws_1', 'plain_3'));
  expect(calls.map(({ ids }) => ids)).toEqual([['plain_1']]);
  calls[0]?.end();
  await results[0];
  await expect.poll(() => calls.map(({ ids }) => ids)).toEqual([['plain_1'], ['plain_2', 'plain_3']]);
  calls[1]?.end();
  expect(await Promise.all(results)).toEqual(['plain_1', 'plain_2', 'plain_3']);
});

it('a failed call with Idempotency-Keys fails only the reservations of its workspace', async () => {
  const { calls, reserve, turn } = setUp();
  const lost = [reserve('ws_1', 'keyed_1', 'key'), reserve('ws_1', 'keyed_2', 'key')];
  const failed = Promise.all(lost.map((result) => expect(result).rejects.toMatchObject({ code: 'internal' })));
  const other = reserve('ws_2', 'keyed_3', 'key');
  await turn();
  calls[0]?.fail();
  calls[1]?.end();
  await failed;
  expect(await other).toBe('keyed_3');
});
