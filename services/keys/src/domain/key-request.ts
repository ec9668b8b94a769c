import { hash } from 'node:crypto';
import { dayMs } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import type { CreateKeyRequest } from '@shopscope/proto';
import { lengthPrefixed } from './length-prefixed.ts';

/** How long a request token is unique in its workspace. */
export const requestTokenLifeMs = dayMs;

/** A creation of a key that its caller can repeat without making a second key. */
export interface KeyRequest {
  workspaceId: string;
  token: string;
  /** SHA-256 of what the caller asked for. The same token with another fingerprint is a conflict. */
  fingerprint: Buffer;
}

/** Returns undefined without a token. Refuses a malformed one. */
export function keyRequestOf(body: CreateKeyRequest): KeyRequest | undefined {
  const { workspaceId, requestToken: token } = body;
  if (token === '') return undefined;
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(token)) {
    throw invalidField('request_token', 'must have 16 to 64 characters of A-Z, a-z, 0-9, _ and -');
  }
  const { label, preset, scopes, expiresAtMs, actor } = body;
  // The actor's address is left out: it can change between a call and its repetition.
  const members = [label.trim(), preset, String(expiresAtMs ?? ''), actor.trim(), ...scopes.toSorted()];
  return { workspaceId, token, fingerprint: hash('sha256', lengthPrefixed(members), 'buffer') };
}
