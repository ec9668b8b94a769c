import type { Clock } from '@shopscope/clock';
import type { Handles } from '@shopscope/environment';
import type { Transact, Tx } from '@shopscope/mongo';
import type { ProfileUpdated } from '@shopscope/proto';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { TechnologyIndex } from '../../domain/technology-index.ts';
import type { OpenRecordStore } from '../../outbound/mongo/open-records.ts';
import type { TestStores } from '../../outbound/mongo/test-stores.ts';
import type { TestTenantStore } from '../../outbound/mongo/test-tenants.ts';
import type { ReadDependencies } from '../dependencies.ts';

/** The dependencies of the operations on stores of the test tenant. */
export interface TestDependencies extends Handles<'test'> {
  clock: Clock;
  siteUrl: string;
  technologies: TechnologyIndex;
  tenants: TestTenantStore;
  stores: TestStores;
  openRecords: OpenRecordStore;
  logger: Logger;
  /** Runs the function in a transaction with majority write concern. The function may run more than once. */
  transact: Transact;
  appendEvents(tx: Tx, updates: readonly { event: ProfileUpdated; meta: Origin }[]): Promise<void>;
  /** Returns the dependencies of look-ups and searches in the stores of a workspace. */
  readsOf(workspaceId: string): ReadDependencies;
}
