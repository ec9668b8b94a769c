import type { Clock } from '@shopscope/clock';
import type { SearchVocabulary } from '@shopscope/store-search';
import type { Logger } from '@shopscope/telemetry';
import type { SearchMetrics } from '../metrics.ts';
import type { PointsInTime } from '../outbound/opensearch/points-in-time.ts';
import type { StateDocuments } from '../outbound/opensearch/state-documents.ts';
import type { StoreIndexes } from '../outbound/opensearch/store-indexes.ts';
import type { StoreFactReader } from '../outbound/store-facts.ts';
import type { SearchTurns } from './search-turns.ts';

interface Preparable {
  /** Makes the index of the state. It is idempotent. */
  prepare(): Promise<void>;
}

/** The dependencies of the operations. service.ts creates them once. */
export interface Dependencies {
  /** Holds leases. */
  instanceId: string;
  clock: Clock;
  logger: Logger;
  metrics: SearchMetrics;
  vocabulary: SearchVocabulary;
  facts: StoreFactReader;
  states: StateDocuments & Preparable;
  indexes: StoreIndexes;
  pointsInTime: PointsInTime;
  turns: SearchTurns;
  /** Returns what a search in the stores of a workspace of the test tenant needs. */
  testTenantOf(workspaceId: string): SearchDependencies;
}

/** What a search needs. */
export interface SearchDependencies extends Pick<Dependencies, 'logger' | 'vocabulary' | 'clock'> {
  facts: Pick<StoreFactReader, 'ofFirst'>;
  states: StateDocuments;
  pointsInTime: Pick<PointsInTime, 'search'>;
}
