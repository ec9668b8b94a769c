import { createKeyedBatcher, type Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { GrpcClient } from '@shopscope/grpc';
import { callForBatch, callPeer, environmentOf, joinBatch, originsOf } from '@shopscope/grpc';
import {
  type Balance,
  type GetUsageResponse,
  type LeasableUnit,
  type LeaseAsk,
  type LeaseGrant,
  type MeteringServiceService,
  type ReserveItem,
  type ReserveResult,
  type UsageRecorded,
  unitNames,
  type VoidChargeRequest,
  type VoidChargeResponse,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export interface LeaseCall {
  gatewayId: string;
  asks: (Omit<LeaseAsk, 'unit'> & { unit: LeasableUnit })[];
}

/**
 * The calls of the metering service. Calls of one environment and event-loop turn share RPCs if none of them can delay the others:
 *
 * - Reservations without an Idempotency-Key share one RPC, because metering decides them without a wait.
 * - Reservations with an Idempotency-Key share one RPC per workspace. They may be retries, and metering then waits for the
 *   catch-up of its ledger. No other workspace waits with them.
 * - Usage events share one RPC per workspace, because metering responds when all events of the RPC are counted.
 * - Balances of all workspaces share one RPC.
 *
 * Failure: a caller's deadline passes -> the caller gets the deadline's error, and the RPC continues. A reservation that is made
 * too late gets no usage event and expires. A usage event that is recorded too late is voided.
 */
export type MeteringClient = ReturnType<typeof createMeteringClient>;

interface Call<Item> {
  item: Item;
  origin: Origin;
}

const ofWorkspace = ({ item, origin }: Call<{ workspaceId: string }>) =>
  `${item.workspaceId} ${environmentOf({ origin })}`;

const maxBatchSize = { reserve: 1_000, record: 500, balance: 100 } as const;
type BatchKind = keyof typeof maxBatchSize | 'lease';
/** About the duration of a Reserve. Metering decides the batches of one workspace one after the other in any case. */
const reserveWaitMs = 10;

export function createMeteringClient(
  client: GrpcClient<typeof MeteringServiceService>,
  onBatch: (kind: BatchKind, size: number) => void = () => {},
) {
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
    keyOf: environmentOf,
    waitForRunningMs: reserveWaitMs,
    run: reserveAll,
  });
  const reservationsWithKey = createKeyedBatcher<Call<ReserveItem>, ReserveResult>({
    ...batching('reserve'),
    keyOf: ofWorkspace,
    run: reserveAll,
  });
  /** Resolves to true if the charge counts. */
  const records = createKeyedBatcher<Call<UsageRecorded>, boolean>({
    ...batching('record'),
    keyOf: ofWorkspace,
    async run(calls, deadline) {
      const request = { events: calls.map(({ item }) => item) };
      const { refusedChargeIds } = await callForBatch((options) => client.recordUsage(request, options), {
        deadline,
        origins: originsOf(calls),
      });
      return calls.map(({ item }) => !refusedChargeIds.includes(item.chargeId));
    },
  });
  const balances = createKeyedBatcher<Call<string>, Balance>({
    ...batching('balance'),
    keyOf: environmentOf,
    dedupeBy: ({ item }) => item,
    async run(calls, deadline) {
      const request = { workspaceIds: calls.map(({ item }) => item) };
      const call = { deadline, origins: originsOf(calls) };
      return (await callForBatch((options) => client.getBalance(request, options), call)).balances;
    },
  });

  return {
    reserve(item: ReserveItem, origin: Origin, deadline: Deadline): Promise<ReserveResult> {
      const hasIdempotencyKey = item.fingerprint.length > 0;
      const batcher = hasIdempotencyKey ? reservationsWithKey : reservations;
      return joinBatch(batcher, { item, origin }, deadline);
    },
    /** Asks for units of allowances. The grants are parallel to the asks. Rejects with the service's own error. */
    async leaseAllowance({ gatewayId, asks }: LeaseCall, deadline: Deadline): Promise<LeaseGrant[]> {
      onBatch('lease', asks.length);
      const request = { gatewayId, asks: asks.map((ask) => ({ ...ask, unit: unitNames[ask.unit] })) };
      return (await callForBatch((options) => client.leaseAllowance(request, options), { deadline })).grants;
    },
    voidCharge: (
      request: VoidChargeRequest,
      origin: Origin,
      deadline: Deadline,
    ): Promise<Pick<VoidChargeResponse, 'counts'>> =>
      callPeer((options) => client.voidCharge(request, options), { deadline, origin }),
    /** Sends a usage event over gRPC while Kafka is unavailable. Rejects if the charge does not count. */
    async recordUsage(item: UsageRecorded, origin: Origin, deadline: Deadline): Promise<void> {
      if (await joinBatch(records, { item, origin }, deadline)) return;
      throw new AppError('internal', 'The service could not answer; nothing was billed.', {
        internal: `the event of charge ${item.chargeId} came after the close of its lease`,
      });
    },
    getBalance: (item: string, origin: Origin, deadline: Deadline): Promise<Balance> =>
      joinBatch(balances, { item, origin }, deadline),
    getUsage: (workspaceId: string, origin: Origin, deadline: Deadline): Promise<GetUsageResponse> =>
      callPeer((options) => client.getUsage({ workspaceId }, options), { deadline, origin }),
  };
}
