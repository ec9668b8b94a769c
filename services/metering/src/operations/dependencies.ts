import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { UsageSignal } from '../domain/fold.ts';
import type { Doubtful, Reserved } from '../domain/reserved.ts';
import type { MeteringMetrics } from '../metrics.ts';
import type { AllowanceStore } from '../outbound/mongo/allowances.ts';
import type { ChargeStore } from '../outbound/mongo/charges.ts';
import type { CheckpointStore } from '../outbound/mongo/checkpoints.ts';
import type { LedgerStore } from '../outbound/mongo/ledger.ts';
import type { Transact } from '../outbound/mongo/transaction.ts';
import type { UsageCounterStore } from '../outbound/mongo/usage-counters.ts';
import type { BatchingLanes } from './batching-lanes.ts';
import type { Reservation } from './decide-charges.ts';

/** What the operations work with; made once, in service.ts. */
export interface Dependencies {
  clock: Clock;
  logger: Logger;
  metrics: MeteringMetrics;
  /** How long a reservation stands before the sweeper may give it back; above any request's time bound. */
  reservationTtlMs: number;
  charges: ChargeStore;
  ledger: LedgerStore;
  counters: UsageCounterStore;
  allowances: AllowanceStore;
  checkpoints: CheckpointStore;
  transact: Transact;
  /** Resolves once the ledger holds every usage event that is durable now; rejects with `internal` when that takes long. */
  caughtUp(timeoutMs: number): Promise<void>;
}

/** Where the work of concurrent calls gathers; see batching-lanes.ts. */
export interface Queues {
  /** One lane per workspace. */
  reservations: BatchingLanes<Reservation, Reserved | Doubtful>;
  /** One lane per workspace: what Kafka would carry, and voids. */
  signals: BatchingLanes<UsageSignal, void>;
}
