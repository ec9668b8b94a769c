import { createHmac } from 'node:crypto';
import type { KeyEnvironment } from '@shopscope/ids';

/**
 * Who may use a key. Gateways accept `api` keys at the public API only, and `dashboard` keys at their internal listener only.
 */
export type KeyUse = 'api' | 'dashboard';

/** An API key without its secret. */
export interface Key {
  id: string;
  workspaceId: string;
  label: string;
  /** The key prefix: the tag (`svc_live_`) and the first four random characters. */
  prefix: string;
  environment: KeyEnvironment;
  scopes: string[];
  /** Name of the preset at the creation, `custom` for listed scopes. */
  preset: string;
  createdAt: Date;
  createdBy: string;
  /** IP address of the person who created the key. Empty when the caller named none. */
  createdFrom: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Empty while the key is not revoked. */
  revokedBy: string;
  /** Start of the latest known request with the key. Gateways report it after the request. */
  lastUsedAt: Date | null;
  use: KeyUse;
}

export type KeyState = 'active' | 'revoked' | 'expired';

/** The state of a key at an instant. A revoked key stays revoked after its expiry. */
export function keyStateAt(key: Pick<Key, 'expiresAt' | 'revokedAt'>, nowMs: number): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt.getTime() <= nowMs) return 'expired';
  return 'active';
}

/**
 * What the database stores of a key: the HMAC-SHA-256 of the key's SHA-256 digest, with a pepper from the configuration. A stolen
 * database alone is therefore not enough to test guesses.
 */
export function keyFingerprint(pepper: string, keyDigest: Uint8Array): Buffer {
  return createHmac('sha256', pepper).update(keyDigest).digest();
}

/**
 * The last instant at which a key can expire. RFC 3339 timestamps have years of four digits. The end of the key's retention must be
 * a valid date as well.
 */
export const latestExpiryMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Days from revocation or expiry until MongoDB deletes the key document. Until then, usage reports can show the key's label.
 */
export const keyRetentionDays = 400;
