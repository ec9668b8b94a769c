import type { AuditEntry, VerifyAuditLogResponse } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';

/** People choose their names, so the id and the address are before a name. */
export const auditColumns = [
  ...['created_at', 'actor', 'actor_email', 'actor_name', 'actor_address', 'action'],
  ...['subject_id', 'subject_email', 'subject_name', 'detail'],
];

export function encodeAuditEntry(entry: AuditEntry) {
  return {
    id: entry.id,
    workspace_id: entry.workspaceId === '' ? null : entry.workspaceId,
    actor: entry.actor,
    // Empty for operators.
    actor_email: known(entry.actorEmail),
    actor_name: known(entry.actorName),
    actor_address: known(entry.actorAddress),
    action: entry.action,
    subject_id: entry.subjectId,
    subject_email: known(entry.subjectEmail),
    subject_name: known(entry.subjectName),
    detail: entry.detail,
    created_at: encodeTimestamp(entry.atMs),
    // Entries outside of the chain have neither.
    sequence: entry.sequence === 0 ? null : entry.sequence,
    hash: entry.hash.length === 0 ? null : entry.hash.toString('hex'),
  };
}

const known = (text: string): string | null => (text === '' ? null : text);

export const auditLogColumns = ['workspace_id', 'state', 'entries', 'unchained_entries', 'broken_sequence', 'fault'];

/** The outcome of a verification. An empty workspace id stands for the changes that concern all workspaces. */
export function encodeAuditLogState(workspaceId: string, state: VerifyAuditLogResponse) {
  return {
    workspace_id: workspaceId === '' ? null : workspaceId,
    state: state.brokenSequence === undefined ? 'intact' : 'broken',
    entries: state.entries,
    unchained_entries: state.unchainedEntries,
    broken_sequence: state.brokenSequence ?? null,
    fault: state.fault === '' ? null : state.fault,
  };
}
