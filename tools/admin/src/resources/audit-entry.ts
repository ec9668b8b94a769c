import type { AuditEntry } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';

export const auditColumns = ['created_at', 'actor', 'action', 'subject_id'];

export function encodeAuditEntry(entry: AuditEntry) {
  return {
    id: entry.id,
    workspace_id: entry.workspaceId === '' ? null : entry.workspaceId,
    actor: entry.actor,
    action: entry.action,
    subject_id: entry.subjectId,
    created_at: encodeTimestamp(entry.atMs),
  };
}
