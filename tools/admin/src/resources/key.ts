import { type Key, KeyStatus } from '@shopscope/proto';
import { timestamp } from './timestamp.ts';

export const keyColumns = ['id', 'prefix', 'label', 'status', 'created_at', 'expires_at', 'scopes'];

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
    status: statuses[key.status] ?? 'unknown',
    created_at: timestamp(key.createdAtMs),
    created_by: key.createdBy,
    expires_at: timestamp(key.expiresAtMs),
    revoked_at: timestamp(key.revokedAtMs),
  };
}
