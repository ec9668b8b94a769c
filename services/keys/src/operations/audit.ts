import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { chained } from '../domain/audit-chain.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import { type Person, parseActor, parseAddress, recordedPerson } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';

/** The actor of a change, for the audit log. */
export interface Actor {
  actor: string;
  /** IP address of the actor. Empty or absent if the caller does not know it. */
  actorAddress?: string;
  /** The name and e-mail address of the person at that time. Absent for operators. */
  actorPerson?: Person | undefined;
}

/** The action and its object. The default of `id` is a new id. */
export type Audited = Pick<AuditEntry, 'action' | 'subjectId'> &
  Partial<Pick<AuditEntry, 'id' | 'subjectName' | 'subjectEmail' | 'detail'>>;

/** Parses the actor of an action. Throws `invalid_request` if there is none. */
export function givenBy({ actor, actorAddress = '', actorPerson }: Actor) {
  const { name: actorName, email: actorEmail } = recordedPerson(actorPerson);
  return { actor: parseActor(actor), actorName, actorEmail, actorAddress: parseAddress('actor_address', actorAddress) };
}

/**
 * Adds entries to the audit log of a workspace in the transaction. An empty workspace id stands for all workspaces.
 *
 * Concurrency: two transactions that add to one log conflict. The second one is repeated and continues the chain of the first.
 * Failure: the transaction aborts -> the chain does not change and has no gap.
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
