import { createHmac } from 'node:crypto';
import type { KeyEnvironment } from '@shopscope/ids';

/** An API key as it is kept: never the secret, only what recognises it. */
export interface Key {
  id: string;
  workspaceId: string;
  label: string;
  /** Tag and first four characters of the secret. */
  prefix: string;
  environment: KeyEnvironment;
  scopes: string[];
  createdAt: Date;
  createdBy: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export type KeyState = 'active' | 'revoked' | 'expired';

/** Where a key stands at an instant. Revocation outlives expiry: what was revoked stays so. */
export function keyStateAt(key: Pick<Key, 'expiresAt' | 'revokedAt'>, nowMs: number): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt.getTime() <= nowMs) return 'expired';
  return 'active';
}

/**
 * What the database keeps of a key: HMAC-SHA-256 under a pepper from the configuration over the key's SHA-256 digest.
 * A stolen database alone does not let anyone test guesses.
 */
export function keyFingerprint(pepper: string, keyDigest: Uint8Array): Buffer {
  return createHmac('sha256', pepper).update(keyDigest).digest();
}

/**
 * The last instant at which a key can expire. RFC 3339 timestamps have years of four digits, and the retention of the label has to
 * end at an instant that a date can hold.
 */
export const latestExpiryMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** How long a key that ended keeps its label, so that usage stays attributable. */
export const labelRetentionDays = 400;
