import { type Key, KeyStatus } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';

export const keyColumns = [
  'id',
  'prefix',
  'label',
  'environment',
  'status',
  'created_at',
  'last_used_at',
  'expires_at',
  'scopes',
];

const statuses: Partial<Record<KeyStatus, string>> = {
  [KeyStatus.ACTIVE]: 'active',
  [KeyStatus.REVOKED]: 'revoked',
  [KeyStatus.EXPIRED]: 'expired',
};

/** A key without its secret, which no service stores. */
export function encodeKey(key: Key) {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    label: key.label,
    prefix: key.prefix,
    environment: key.environment,
    scopes: key.scopes,
    preset: key.preset === '' ? null : key.preset,
    status: statuses[key.status] ?? 'unknown',
    created_at: encodeTimestamp(key.createdAtMs),
    created_by: key.createdBy,
    created_from: key.createdFrom === '' ? null : key.createdFrom,
    last_used_at: encodeTimestamp(key.lastUsedAtMs),
    expires_at: encodeTimestamp(key.expiresAtMs),
    revoked_at: encodeTimestamp(key.revokedAtMs),
    revoked_by: key.revokedBy === '' ? null : key.revokedBy,
  };
}
