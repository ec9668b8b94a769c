import { createTransact, type Mongo } from '@shopscope/mongo';
import type { Outbox, OutboxRelay } from '@shopscope/outbox';
import { profileUpdated } from '@shopscope/proto';
import { Registry } from '@shopscope/telemetry';
import { createMetrics } from './metrics.ts';
import type { Dependencies } from './operations/dependencies.ts';
import type { TestDependencies } from './operations/test-stores/dependencies.ts';
import { createFrozenCorpus } from './operations/test-stores/frozen-corpus.ts';
import { createTestReads } from './operations/test-stores/read-test-stores.ts';
import { createOpenRecordStore } from './outbound/mongo/open-records.ts';
import { createTestStores } from './outbound/mongo/test-stores.ts';
import { createTestTenantStore } from './outbound/mongo/test-tenants.ts';

/** The part of the composition root that creates what the test tenant uses. It shares the vocabulary with live stores. */
export function createTestDependencies(options: {
  mongo: Mongo;
  outbox: Pick<Outbox, 'appendMany'>;
  relay: Pick<OutboxRelay, 'nudge'>;
  shared: Pick<Dependencies, 'clock' | 'siteUrl' | 'technologies' | 'knownValues' | 'logger'>;
}): TestDependencies {
  const { mongo, outbox, relay, shared } = options;
  // The first scan and a reset of a workspace may insert its document at the same time.
  const transact = createTransact(mongo, { retryDuplicateKeys: true });
  const stores = createTestStores(mongo.db);
  const tenants = createTestTenantStore(mongo.db);
  const openRecords = createOpenRecordStore(mongo.db, 'test');
  const { clock, siteUrl, technologies, logger } = shared;
  return {
    environment: 'test',
    clock,
    siteUrl,
    technologies,
    logger,
    stores,
    openRecords,
    tenants,
    transact: async (work) => {
      const result = await transact(work);
      relay.nudge();
      return result;
    },
    appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated.test, updates),
    readsOf: createTestReads({
      ...shared,
      openRecords,
      stores,
      tenants,
      corpus: createFrozenCorpus(shared),
      // Nobody reads these metrics: the exposed ones count reads of live stores.
      metrics: createMetrics(new Registry()),
    }),
  };
}
