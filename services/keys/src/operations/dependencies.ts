import type { Clock } from '@shopscope/clock';
import type { KeyChanged } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Peppers } from '../domain/pepper.ts';
import type { AuditStore } from '../outbound/mongo/audit-entries.ts';
import type { KeyStore } from '../outbound/mongo/keys.ts';
import type { PlanStore } from '../outbound/mongo/plans.ts';
import type { Transact, Tx } from '../outbound/mongo/transaction.ts';
import type { WorkspaceStore } from '../outbound/mongo/workspaces.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { KeyMover } from './move-key.ts';

/** What the operations use. service.ts creates it once. */
export interface Dependencies {
  clock: Clock;
  peppers: Peppers;
  workspaces: WorkspaceStore;
  plans: PlanStore;
  keys: KeyStore;
  audit: AuditStore;
  mover: Pick<KeyMover, 'move'>;
  transact: Transact;
  /** Keyed by workspace: an instance creates the keys of a workspace one after another. */
  keyCreationMutex: KeyedMutex;
  /** Adds an event to the outbox in the transaction. */
  appendEvent(tx: Tx, change: KeyChanged, origin: Origin): Promise<void>;
}

/** What an operation knows of its call. `remainingMs` decreases: read it for each statement. */
export interface CallContext {
  origin: Origin;
  readonly remainingMs: number;
}
