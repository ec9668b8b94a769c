import type { AuditEntryDraft } from '../outbound/audit-outbox.ts';

/** Audit log entries for invitations that ended with the role of their sender. */
export const withdrawals = (
  by: Pick<AuditEntryDraft, 'workspaceId' | 'actor' | 'actorAddress' | 'actorPerson'>,
  addresses: readonly string[],
): AuditEntryDraft[] =>
  addresses.map((email) => ({
    ...by,
    action: 'invitation.withdrawn',
    subjectId: email,
    detail: `${email}: the sender is not an admin any more`,
  }));
