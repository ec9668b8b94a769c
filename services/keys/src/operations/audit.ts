import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { AuditEntry } from '../domain/audit-entry.ts';
import { givenActor } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';

/** Adds an audit entry to the transaction. Refuses an action without an actor. */
export async function recordAudit(deps: Dependencies, tx: Tx, entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void> {
  const nowMs = deps.clock.now();
  const actor = givenActor(entry.actor);
  await deps.audit.append({ ...entry, actor, id: newId('aud', nowMs), at: new Date(nowMs) }, tx);
}
