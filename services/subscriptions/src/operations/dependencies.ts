import type { KeyedQueue } from '@shopscope/async';
import type { MeteringClient } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import type { EnrichDependencies, ScanSchedulerClient, StoreLookUps } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import type { Transact } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { SubscriptionsMetrics } from '../metrics.ts';
import type { ReadSnapshot } from '../outbound/mongo/reads.ts';
import type { Stores } from '../outbound/mongo/stores.ts';
import type { Payers } from '../outbound/payers.ts';
import type { StoreSearch } from '../outbound/store-search.ts';
import type { EventDependencies } from './event-dependencies.ts';

/** The dependencies of the operations in one environment. service.ts creates them once for each. */
export interface Dependencies<E extends Environment> extends Stores<E>, EventDependencies<E> {
  clock: Clock;
  logger: Logger;
  metrics: SubscriptionsMetrics;
  /** Runs the function in a transaction with majority concern. The function may run more than once. */
  transact: Transact;
  /** The changes of each workspace and environment, which conflict on the document of its quotas. */
  changes: KeyedQueue;
  /** Reads the data of one moment. */
  readSnapshot: ReadSnapshot;
  /** Who pays for jobs and rescans. */
  payers: Payers;
  /** The stores of exports. */
  storeSearch: StoreSearch;
  /** Look-ups, scans and their charges. */
  charging: ChargingDependencies;
}

/** What libs/enrich and libs/charging use. */
export interface ChargingDependencies extends EnrichDependencies {
  profiles: StoreLookUps;
  metering: MeteringClient;
  scheduler: ScanSchedulerClient;
}

export type EveryEnvironment = { [E in Environment]: Dependencies<E> };
