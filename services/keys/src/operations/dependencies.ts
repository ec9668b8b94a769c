import type { Clock } from '@shopscope/clock';
import type { KeyChanged } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Peppers } from '../domain/pepper.ts';
import type { AuditStore } from '../outbound/mongo/audit-entries.ts';
import type { KeyStore } from '../outbound/mongo/keys.ts';
import type { PlanStore } from '../outbound/mongo/plans.ts';
import type { Transact, Tx } from '../outbound/mongo/transaction.ts';
import type { WorkspaceStore } from '../outbound/mongo/workspaces.ts';
import type { KeyMover } from './move-key.ts';
import type { Turns } from './turns.ts';

/** What the operations work with; made once, in service.ts. */
export interface Dependencies {
  clock: Clock;
  peppers: Peppers;
  workspaces: WorkspaceStore;
  plans: PlanStore;
  keys: KeyStore;
  audit: AuditStore;
  mover: Pick<KeyMover, 'move'>;
  transact: Transact;
  /** Of the creations of keys, by workspace. */
  turns: Turns;
  /** Queues an event in the caller's transaction. */
  announce(tx: Tx, change: KeyChanged, origin: Origin): Promise<void>;
}

/** Who calls and how long they still wait, at the moment of reading: read it anew for every statement. */
export interface CallContext {
  origin: Origin;
  readonly remainingMs: number;
}
