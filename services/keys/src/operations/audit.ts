import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { chained } from '../domain/audit-chain.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import { type Person, parseActor, parseAddress, recordedPerson } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';

/** Who acts, for the audit log. */
export interface Actor {
  actor: string;
  /** IP address. Empty or absent when the caller does not know it. */
  actorAddress?: string;
  /** What a person was called at that time. Absent for operators. */
  actorPerson?: Person | undefined;
}

/** What is done. Default of `id`: a new one. */
export type Audited = Pick<AuditEntry, 'action' | 'subjectId'> &
  Partial<Pick<AuditEntry, 'id' | 'subjectName' | 'subjectEmail' | 'detail'>>;

/** Refuses an action without an actor. */
export function givenBy({ actor, actorAddress = '', actorPerson }: Actor) {
  const { name: actorName, email: actorEmail } = recordedPerson(actorPerson);
  return { actor: parseActor(actor), actorName, actorEmail, actorAddress: parseAddress('actor_address', actorAddress) };
}

/**
 * Adds entries to the audit log of a workspace in the transaction; an empty workspace id stands for all workspaces.
 *
 * Concurrency: two transactions that add to one log conflict. The second is repeated and continues the chain of the first.
 * Failure: the transaction aborts -> the chain is as it was, without a gap.
 */
export async function recordAudit(
  deps: Pick<Dependencies, 'audit'>,
  tx: Tx,
  by: ReturnType<typeof givenBy> & { workspaceId: string; at: Date },
  done: readonly Audited[],
) {
  let head = await deps.audit.head(by.workspaceId, tx);
  const entries = done.map((what) => {
    const absent = { id: newId('aud', by.at.getTime()), subjectName: '', subjectEmail: '', detail: '' };
    const entry = chained(head, { ...absent, ...by, ...what });
    head = entry;
    return entry;
  });
  await deps.audit.append(entries, tx);
  return entries;
}
