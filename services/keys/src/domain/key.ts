import { createHmac } from 'node:crypto';
import type { Environment } from '@shopscope/environment';

/**
 * The users of a key. Gateways accept `api` keys only at the public API, and `dashboard` keys only at their internal listener.
 */
export type KeyUse = 'api' | 'dashboard';

/** An API key without its secret. */
export interface Key {
  id: string;
  workspaceId: string;
  label: string;
  /** The key prefix: the tag (`svc_live_` or `svc_test_`) and the first four random characters. */
  prefix: string;
  environment: Environment;
  scopes: string[];
  /** The name of the preset at the creation. It is `custom` if the scopes were listed. */
  preset: string;
  createdAt: Date;
  createdBy: string;
  /** IP address of the person who created the key. Empty if the caller sent none. */
  createdFrom: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Empty while the key is not revoked. */
  revokedBy: string;
  /** The start of the latest known request with the key. Gateways report it after the request. */
  lastUsedAt: Date | null;
  use: KeyUse;
}

export type KeyState = 'active' | 'revoked' | 'expired';

/** Returns the state of a key at an instant. A revoked key stays revoked after its expiry. */
export function keyStateAt(key: Pick<Key, 'expiresAt' | 'revokedAt'>, nowMs: number): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt.getTime() <= nowMs) return 'expired';
  return 'active';
}

/**
 * Returns the fingerprint of a key, which the database stores instead of the key: the HMAC-SHA-256 of its SHA-256 digest, with a
 * pepper from the configuration. A stolen database alone is therefore not enough to test guesses.
 */
export function keyFingerprint(pepper: string, keyDigest: Uint8Array): Buffer {
  return createHmac('sha256', pepper).update(keyDigest).digest();
}

/**
 * The last instant at which a key can expire. RFC 3339 timestamps have years of four digits. The end of the retention of the key
 * must also be a valid date.
 */
export const latestExpiryMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The number of days from revocation or expiry until MongoDB deletes the document of the key. Until then, usage reports can show its label.
 */
export const keyRetentionDays = 400;
