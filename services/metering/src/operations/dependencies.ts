import type { Deadline, KeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { TransactionOptions, Tx } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { Reservation } from '../domain/charge.ts';
import type { UsageSignal } from '../domain/fold.ts';
import type { Doubtful, Reserved } from '../domain/reserved.ts';
import type { MeteringMetrics } from '../metrics.ts';
import type { AllowanceStore } from '../outbound/mongo/allowances.ts';
import type { ChargeStore } from '../outbound/mongo/charges.ts';
import type { CheckpointStore } from '../outbound/mongo/checkpoints.ts';
import type { LedgerStore } from '../outbound/mongo/ledger.ts';
import type { UsageCounterStore } from '../outbound/mongo/usage-counters.ts';

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
  /** Majority transaction of libs/mongo; `work` may run more than once. */
  transact<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T>;
  /** Resolves once the ledger holds every usage event that is durable now; rejects with `internal` when that takes long. */
  caughtUp(deadline: Deadline): Promise<void>;
}

/**
 * Where the work of concurrent calls gathers. Each workspace has one batch at a time: this only spares conflicts and
 * commits; correctness is the database's, so it needs no agreement with other instances.
 */
export interface Queues {
  reservations: KeyedBatcher<Reservation, Reserved | Doubtful>;
  /** What Kafka would carry, and voids. */
  signals: KeyedBatcher<UsageSignal, void>;
}
