import { createKeyedBatcher, type Deadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type {
  Balance,
  GetUsageResponse,
  MeteringServiceService,
  ReserveItem,
  ReserveResult,
  UsageRecorded,
  VoidChargeRequest,
  VoidChargeResponse,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callForBatch, callPeer, joinCall, originsOf } from './call-peer.ts';

/**
 * What the gateway asks of metering. Calls of one event-loop turn share as few RPCs as may share their fate:
 *
 * - Reservations without an Idempotency-Key are decided at once -> one RPC for all of them.
 * - Reservations with one may be retries, for which metering waits until its ledger has caught up with an earlier
 *   execution -> one RPC per workspace, so that no other workspace waits.
 * - Usage events are answered once all of an RPC are counted -> one RPC per workspace.
 * - Balances -> one RPC for all, each workspace once.
 *
 * A caller waits until its own deadline and no longer. What metering does for it later, a reservation or a record, stays
 * without an event or is voided.
 */
export interface MeteringPeer {
  reserve(item: ReserveItem & { origin: Origin }, deadline: Deadline): Promise<ReserveResult>;
  voidCharge(request: VoidChargeRequest, deadline: Deadline): Promise<Pick<VoidChargeResponse, 'counts'>>;
  /** The way of usage events while Kafka does not answer. */
  recordUsage(event: UsageRecorded, origin: Origin, deadline: Deadline): Promise<void>;
  getBalance(workspaceId: string, origin: Origin, deadline: Deadline): Promise<Balance>;
  getUsage(workspaceId: string, origin: Origin, deadline: Deadline): Promise<GetUsageResponse>;
}

interface Call<Item> {
  item: Item;
  origin: Origin;
}

const maxBatchSize = { reserve: 1_000, record: 500, balance: 100 } as const;
/** About as long as a decision takes; metering would let the next batch of a workspace wait for it anyway. */
const reserveGatherMs = 10;

export function createMeteringPeer(
  client: GrpcClient<typeof MeteringServiceService>,
  onBatch: (kind: keyof typeof maxBatchSize, size: number) => void = () => {},
): MeteringPeer {
  const batching = (kind: keyof typeof maxBatchSize) => ({
    maxBatchSize: maxBatchSize[kind],
    onBatch: (size: number) => onBatch(kind, size),
  });
  const reserveAll = async (calls: Call<ReserveItem>[], deadline: Deadline) => {
    const request = { items: calls.map(({ item }) => item) };
    return (await callForBatch((options) => client.reserve(request, options), { deadline, origins: originsOf(calls) }))
      .results;
  };
  const reservations = createKeyedBatcher<Call<ReserveItem>, ReserveResult>({
    ...batching('reserve'),
    waitForRunningMs: reserveGatherMs,
    run: reserveAll,
  });
  const namedReservations = createKeyedBatcher<Call<ReserveItem>, ReserveResult>({
    ...batching('reserve'),
    keyOf: ({ item }) => item.workspaceId,
    run: reserveAll,
  });
  const records = createKeyedBatcher<Call<UsageRecorded>>({
    ...batching('record'),
    keyOf: ({ item }) => item.workspaceId,
    async run(calls, deadline) {
      const request = { events: calls.map(({ item }) => item) };
      await callForBatch((options) => client.recordUsage(request, options), { deadline, origins: originsOf(calls) });
      return undefined;
    },
  });
  const balances = createKeyedBatcher<Call<string>, Balance>({
    ...batching('balance'),
    dedupeBy: ({ item }) => item,
    async run(calls, deadline) {
      const origins = originsOf(calls);
      const request = { workspaceIds: calls.map(({ item }) => item), origins };
      return (await callForBatch((options) => client.getBalance(request, options), { deadline, origins })).balances;
    },
  });

  return {
    reserve(item, deadline) {
      const isNamed = item.fingerprint.length > 0;
      return joinCall(isNamed ? namedReservations : reservations, { item, origin: item.origin }, deadline);
    },
    voidCharge: (request, deadline) =>
      callPeer((options) => client.voidCharge(request, options), { deadline, origin: request.origin }),
    recordUsage: (item, origin, deadline) => joinCall(records, { item, origin }, deadline),
    getBalance: (item, origin, deadline) => joinCall(balances, { item, origin }, deadline),
    getUsage: (workspaceId, origin, deadline) =>
      callPeer((options) => client.getUsage({ workspaceId, origin }, options), { deadline, origin }),
  };
}
