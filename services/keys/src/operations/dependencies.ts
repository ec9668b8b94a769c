import type { KeyedQueue } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Transact, Tx } from '@shopscope/mongo';
import type { KeyChanged } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Peppers } from '../domain/pepper.ts';
import type { AuditStore } from '../outbound/mongo/audit-entries.ts';
import type { KeyRequestStore } from '../outbound/mongo/key-requests.ts';
import type { KeyStore } from '../outbound/mongo/keys.ts';
import type { PlanStore } from '../outbound/mongo/plans.ts';
import type { WorkspaceStore } from '../outbound/mongo/workspaces.ts';
import type { KeyMover } from './move-key.ts';

/** The dependencies of the operations. service.ts creates them once. */
export interface Dependencies {
  clock: Clock;
  peppers: Peppers;
  workspaces: WorkspaceStore;
  plans: PlanStore;
  keys: KeyStore;
  keyRequests: KeyRequestStore;
  audit: AuditStore;
  mover: Pick<KeyMover, 'move'>;
  transact: Transact;
  /** The changes of each workspace, which conflict on the head of its audit log. An empty key stands for all workspaces. */
  changes: KeyedQueue;
  /** Adds events to the outbox in the transaction, in this order. */
  appendEvents(tx: Tx, origin: Origin, ...changes: readonly KeyEvent[]): Promise<void>;
}

/** An event about a key, a workspace or a plan. Absent ids are sent as empty texts. */
export type KeyEvent = Pick<KeyChanged, 'change' | 'atMs'> & Partial<KeyChanged>;
