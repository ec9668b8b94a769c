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
import { createCoalescer } from '../coalesce.ts';
import { callPeer, longerBound, within } from './call-peer.ts';
import { createPerWorkspace } from './per-workspace.ts';
import { originsOf } from './profiles.ts';
import { createReservations } from './reservations.ts';

/**
 * What the gateway asks of metering. Balances of one event-loop turn are one call, events one per workspace; reservations:
 * see reservations.ts. Whoever shares a call waits no longer than its own bound; what metering does for it later, a
 * reservation or a record, is then without an event or voided.
 */
export interface MeteringPeer {
  reserve(item: ReserveItem & { origin: Origin }, timeoutMs: number): Promise<ReserveResult>;
  voidCharge(request: VoidChargeRequest, timeoutMs: number): Promise<Pick<VoidChargeResponse, 'counts'>>;
  /** The way of usage events while Kafka does not answer. */
  recordUsage(event: UsageRecorded, origin: Origin, timeoutMs: number): Promise<void>;
  getBalance(workspaceId: string, origin: Origin, timeoutMs: number): Promise<Balance>;
  getUsage(workspaceId: string, origin: Origin, timeoutMs: number): Promise<GetUsageResponse>;
}

interface Timed<Item> {
  item: Item;
  origin: Origin;
  timeoutMs: number;
}

const longest = (batch: readonly Timed<unknown>[]) => Math.max(...batch.map((timed) => timed.timeoutMs));

export function createMeteringPeer(
  client: GrpcClient<typeof MeteringServiceService>,
  onBatch: (kind: 'reserve' | 'record' | 'balance', size: number) => void = () => {},
): MeteringPeer {
  const reservations = createReservations<Timed<ReserveItem>>(async (batch) => {
    onBatch('reserve', batch.length);
    const request = { items: batch.map((timed) => timed.item) };
    const options = { timeoutMs: longest(batch), origins: originsOf(batch) };
    return (await callPeer((call) => client.reserve(request, call), options)).results;
  });
  // Metering answers once all of a call is counted: a workspace whose counters are held up keeps only its own waiting.
  const records = createPerWorkspace<Timed<UsageRecorded>, void>({
    maxBatch: 500,
    workspaceOf: ({ item }) => item.workspaceId,
    async call(batch) {
      onBatch('record', batch.length);
      const request = { events: batch.map((timed) => timed.item) };
      const options = { timeoutMs: longest(batch), origins: originsOf(batch) };
      await callPeer((call) => client.recordUsage(request, call), options);
      return batch.map(() => undefined);
    },
  });
  const balances = createCoalescer<Timed<string>, Balance>({
    maxBatch: 100,
    keyOf: (timed) => timed.item,
    join: longerBound,
    onBatch: (size) => onBatch('balance', size),
    async call(batch) {
      const origins = originsOf(batch);
      const request = { workspaceIds: batch.map((timed) => timed.item), origins };
      const options = { timeoutMs: longest(batch), origins };
      return (await callPeer((call) => client.getBalance(request, call), options)).balances;
    },
  });

  return {
    reserve: (item, timeoutMs) => within(timeoutMs, reservations.load({ item, origin: item.origin, timeoutMs })),
    voidCharge: (request, timeoutMs) =>
      callPeer((options) => client.voidCharge(request, options), { timeoutMs, origin: request.origin }),
    recordUsage: (item, origin, timeoutMs) => within(timeoutMs, records.load({ item, origin, timeoutMs })),
    getBalance: (item, origin, timeoutMs) => within(timeoutMs, balances.load({ item, origin, timeoutMs })),
    getUsage: (workspaceId, origin, timeoutMs) =>
      callPeer((options) => client.getUsage({ workspaceId, origin }, options), { timeoutMs, origin }),
  };
}
