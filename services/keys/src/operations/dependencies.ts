import { createKeyedBatcher, type KeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Transact, Tx } from '@shopscope/mongo';
import type { KeyChanged } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Peppers } from '../domain/pepper.ts';
import type { AuditStore } from '../outbound/mongo/audit-entries.ts';
import type { KeyStore } from '../outbound/mongo/keys.ts';
import type { PlanStore } from '../outbound/mongo/plans.ts';
import type { WorkspaceStore } from '../outbound/mongo/workspaces.ts';
import type { KeyMover } from './move-key.ts';

export interface KeyCreation {
  workspaceId: string;
  create(): Promise<void>;
}

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
  /** Per workspace: an instance creates the keys of a workspace one after another. */
  creations: KeyedBatcher<KeyCreation, void>;
  /** Adds an event to the outbox in the transaction. */
  appendEvent(tx: Tx, change: KeyChanged, origin: Origin): Promise<void>;
}

export function createCreations(): Dependencies['creations'] {
  return createKeyedBatcher<KeyCreation>({
    keyOf: ({ workspaceId }) => workspaceId,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize: 1,
    run: async (creations) => {
      for (const { create } of creations) await create();
      return undefined;
    },
  });
}
