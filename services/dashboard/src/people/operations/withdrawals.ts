import type { AuditEntryDraft } from '../outbound/audit-outbox.ts';

/** Entries for invitations that ended with the right of the person who sent them. */
export const withdrawals = (
  by: Pick<AuditEntryDraft, 'workspaceId' | 'actor' | 'actorAddress' | 'actorPerson'>,
  addresses: readonly string[],
): AuditEntryDraft[] =>
  addresses.map((email) => ({
    ...by,
    action: 'invitation.withdrawn',
    subjectId: email,
    detail: `${email}: the sender is no admin any more`,
  }));
