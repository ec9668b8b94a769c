import type { Clock } from '@shopscope/clock';
import type { VerifyPermit } from '@shopscope/ids';
import type { Transact, Tx } from '@shopscope/mongo';
import type { ProfileUpdated } from '@shopscope/proto';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { CorpusCount } from '../domain/corpus-count.ts';
import type { SystemEnvironment } from '../domain/environment.ts';
import type { KnownValues } from '../domain/known-values.ts';
import type { TechnologyIndex } from '../domain/technology-index.ts';
import type { ProfilesMetrics } from '../metrics.ts';
import type { DomainRanges } from '../outbound/mongo/domain-ranges.ts';
import type { ObservationStore } from '../outbound/mongo/observations.ts';
import type { OpenRecordStore } from '../outbound/mongo/open-records.ts';
import type { OptOutStore } from '../outbound/mongo/opt-outs.ts';
import type { SignalStore } from '../outbound/mongo/signals.ts';
import type { StoreBodies } from '../outbound/mongo/store-bodies.ts';
import type { ProfileStore } from '../outbound/mongo/stores.ts';

/** The dependencies of look-ups and searches, for live stores or for the test stores of one workspace. */
export interface ReadDependencies {
  clock: Clock;
  technologies: TechnologyIndex;
  knownValues: KnownValues;
  storeBodies: Pick<StoreBodies, 'find' | 'scanTimes' | 'list' | 'count'>;
  signals: Omit<SignalStore, 'save' | 'delete'>;
  openRecords: Pick<OpenRecordStore, 'earliest'>;
  metrics: Pick<ProfilesMetrics, 'storesPerLookUp' | 'signalPages'>;
  logger: Logger;
}

/** The dependencies of the operations on live stores, created in service.ts. */
export interface Dependencies extends ReadDependencies {
  /** The base URL of the pages about stores and technologies, without a trailing slash. */
  siteUrl: string;
  environment: SystemEnvironment;
  verifyPermit: VerifyPermit;
  stores: ProfileStore;
  storeBodies: StoreBodies;
  observations: ObservationStore;
  signals: SignalStore;
  openRecords: OpenRecordStore;
  optOuts: OptOutStore;
  domains: DomainRanges;
  /** Returns the latest count of the corpus from memory, or undefined while there is none. */
  corpusCount(): CorpusCount | undefined;
  metrics: ProfilesMetrics;
  /** Runs the function in a transaction with majority write concern. The function may run more than once. */
  transact: Transact;
  /** Appends the events to the outbox in the transaction of the caller, in this order. */
  appendEvents(tx: Tx, updates: readonly { event: ProfileUpdated; meta: Origin }[]): Promise<void>;
}
