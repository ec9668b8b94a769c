import type { Deadline, KeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment, Handles } from '@shopscope/environment';
import type { TransactionOptions, Tx } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { QueuedReserveItem } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import type { NeedsCatchUp, Reserved } from '../domain/reserved.ts';
import type { MeteringMetrics } from '../metrics.ts';
import type { ThresholdReached } from '../outbound/events/allowance-threshold-reached.ts';
import type { GenerationStore } from '../outbound/mongo/generations.ts';
import type { Stores } from '../outbound/mongo/stores.ts';

/** The dependencies of the operations in one environment. create-dependencies.ts creates them once for each. */
export interface Dependencies extends Stores {
  environment: Environment;
  clock: Clock;
  logger: Logger;
  metrics: MeteringMetrics;
  /** The age at which the sweeper may return a reservation. It is longer than any request. */
  reservationTtlMs: number;
  /** The resets of workspaces. Only the test environment has them. */
  generations?: GenerationStore;
  /** Adds events to the outbox, within the transaction. */
  appendThresholds(tx: Tx, reached: readonly ThresholdReached[]): Promise<void>;
  /** Ends transactions that dead processes left open. Never rejects. */
  killAbandonedTransactions(): Promise<void>;
  /** Runs `work` in a majority transaction (libs/mongo). `work` may run more than once. */
  transact<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T>;
  /** Resolves when the ledger has every usage event that is durable now. Rejects with `internal` if this takes too long. */
  caughtUp(deadline: Deadline): Promise<void>;
}

/**
 * The queues gather the work of concurrent calls, with one queue per workspace. Each queue runs one batch at a time, which saves
 * transaction conflicts and commits. Correctness depends only on the database, so instances need no coordination.
 */
export interface Queues {
  reservations: KeyedBatcher<QueuedReserveItem, Reserved | NeedsCatchUp>;
  /** Events of RecordUsage, and voids. `isRefused`: the event is a charge of a lease that does not count. */
  usageEvents: KeyedBatcher<UsageEvent, { isRefused: boolean }>;
}

export type LiveDependencies = Dependencies & Handles<'live'>;
export type TestDependencies = Dependencies & Handles<'test'> & { generations: GenerationStore };

/** What the entries of each environment call. */
export interface EveryEnvironment {
  live: { deps: LiveDependencies; queues: Queues };
  test: { deps: TestDependencies; queues: Queues };
}
