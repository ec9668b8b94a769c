import { noDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type {
  LeaseAllowanceRequest,
  LeaseAllowanceResponse,
  LeaseAsk,
  LeaseGrant,
  MeteringServiceService,
  ReserveRequest,
  ReserveResult,
} from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { LeasableUnit } from '../../domain/lease.ts';
import { createMeteringClient, type LeaseCall } from './metering.ts';

const origin = { requestId: '', traceparent: '' };

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

describe('asks for leases', () => {
  const ask = (unit: LeasableUnit, leaseId: string) => ({ unit, leaseId, wanted: 1 }) as LeaseCall['asks'][number];
  const asks = [
    ask('historyQuery', 'q1'),
    ask('lookupCached', 'l1'),
    ask('historyQuery', 'q2'),
    ask('lookupCached', 'l2'),
  ];
  const lease = (answer: (request: LeaseAllowanceRequest) => Partial<LeaseAllowanceResponse>) => {
    const requests: LeaseAllowanceRequest[] = [];
    const leaseAllowance = async (request: LeaseAllowanceRequest): Promise<LeaseAllowanceResponse> => {
      requests.push(request);
      return { grants: [], granting: true, unitGrants: [], grantingUnits: [], ...answer(request) };
    };
    const metering = createMeteringClient({ leaseAllowance } as unknown as GrpcClient<typeof MeteringServiceService>);
    return { requests, answered: metering.leaseAllowance({ gatewayId: 'gw_1', asks }, noDeadline) };
  };
  const grantsOf = (all: LeaseAsk[]) => all.map(({ leaseId }) => ({ granted: leaseId }) as unknown as LeaseGrant);

  it('of units other than look-ups are in a field that an older metering does not read', async () => {
    const { requests, answered } = lease(({ asks }) => ({ grants: grantsOf(asks) }));
    const { grants, lentUnits } = await answered;
    expect(requests).toMatchObject([
      {
        asks: [{ leaseId: 'l1' }, { leaseId: 'l2' }],
        unitAsks: [
          { leaseId: 'q1', unit: 'history_query' },
          { leaseId: 'q2', unit: 'history_query' },
        ],
      },
    ]);
    // An older metering returns nothing for them, which is no grant.
    expect(grants).toEqual([undefined, { granted: 'l1' }, undefined, { granted: 'l2' }]);
    expect([...lentUnits]).toEqual(['lookupCached']);
  });

  it('get the grant of their own lease, whatever the order of units', async () => {
    const { answered } = lease(({ asks, unitAsks }) => ({
      ...{ grants: grantsOf(asks), unitGrants: grantsOf(unitAsks) },
      ...{ granting: false, grantingUnits: ['history_query', 'a unit of a newer metering'] },
    }));
    const { grants, lentUnits } = await answered;
    expect(grants).toEqual(['q1', 'l1', 'q2', 'l2'].map((granted) => ({ granted })));
    expect([...lentUnits]).toEqual(['historyQuery']);
  });
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
    const item = { workspaceId, chargeId, fingerprint: Buffer.from(key), origin };
    return (await metering.reserve(item as never, noDeadline)).exhaustedUnit;
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
