import type { OptOut } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';

export const optOutColumns = ['subject', 'reason', 'actor', 'created_at', 'removed_at'];

export function encodeOptOut(optOut: OptOut) {
  return {
    subject: optOut.subject,
    reason: optOut.reason,
    actor: optOut.actor,
    created_at: encodeTimestamp(optOut.createdAtMs),
    removed_at: optOut.removedAtMs === undefined ? null : encodeTimestamp(optOut.removedAtMs),
    removed_by: optOut.removedBy || null,
  };
}
