import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { type ChainedEntry, chained } from '../domain/audit-chain.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import { givenActor, givenAddress, type Person, recordedPerson } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';

/** Who acts, for the audit log. */
export interface Actor {
  actor: string;
  /** IP address. Empty or absent when the caller does not know it. */
  actorAddress?: string;
  /** What a person was called at that time. Absent for operators. */
  actorPerson?: Person | undefined;
}

/** What is done. */
export interface Audited extends Pick<AuditEntry, 'action' | 'subjectId'> {
  /** When the subject is a person. */
  subjectPerson?: Person | undefined;
  detail?: string;
  /** Default: a new id. */
  id?: string;
}

/** Checks the actor before the transaction. */
export const givenBy = ({ actor, actorAddress = '', actorPerson }: Actor) => ({
  actor: givenActor(actor),
  actorAddress: givenAddress('actor_address', actorAddress),
  actorPerson,
});

/**
 * Adds entries to the audit log of a workspace in the transaction; an empty workspace id stands for all workspaces. Refuses an
 * action without an actor.
 *
 * Concurrency: two transactions that add to one log conflict. The second is repeated and continues the chain of the first.
 * Failure: the transaction aborts -> the chain is as it was, without a gap.
 */
export async function recordAudit(
  deps: Pick<Dependencies, 'audit' | 'clock'>,
  tx: Tx,
  { workspaceId, ...by }: Actor & { workspaceId: string },
  ...done: readonly Audited[]
): Promise<ChainedEntry[]> {
  const nowMs = deps.clock.now();
  const { actorPerson, ...who } = givenBy(by);
  const { name: actorName, email: actorEmail } = recordedPerson(actorPerson);
  let head = await deps.audit.head(workspaceId, tx);
  const entries = done.map(({ id = newId('aud', nowMs), action, subjectId, subjectPerson, detail = '' }) => {
    const { name: subjectName, email: subjectEmail } = recordedPerson(subjectPerson);
    const subject = { subjectId, subjectName, subjectEmail };
    const at = new Date(nowMs);
    const entry = chained(head, { id, workspaceId, ...who, actorName, actorEmail, action, ...subject, detail, at });
    head = entry;
    return entry;
  });
  await deps.audit.append(entries, tx);
  return entries;
}
