import type { Environment } from '@shopscope/environment';
import { chargeRetentionMs } from '@shopscope/proto';
import type { Db } from 'mongodb';
import { createAllowanceStore } from './allowances.ts';
import { createChargeStore } from './charges.ts';
import { createCheckpointStore } from './checkpoints.ts';
import { createLeaseCountStore } from './lease-counts.ts';
import { createLeaseStore } from './leases.ts';
import { createLedgerStore } from './ledger.ts';
import { createRefundStore } from './refunds.ts';
import { createUsageCounterStore } from './usage-counters.ts';

export type Stores = ReturnType<typeof createStores>;

/** The stores of one environment. A transaction uses the stores of one environment only. */
export const createStores = (db: Db, environment: Environment) => ({
  charges: createChargeStore(db, environment, chargeRetentionMs),
  ledger: createLedgerStore(db, environment),
  counters: createUsageCounterStore(db, environment),
  allowances: createAllowanceStore(db, environment),
  leases: createLeaseStore(db, environment),
  leaseCounts: createLeaseCountStore(db, environment),
  checkpoints: createCheckpointStore(db, environment),
  refunds: createRefundStore(db, environment, chargeRetentionMs),
});
