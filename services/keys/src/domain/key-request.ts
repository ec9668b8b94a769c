import { hash } from 'node:crypto';
import { dayMs } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import type { CreateKeyRequest } from '@shopscope/proto';
import { environmentOfKey } from './key-environment.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/** A request token is unique in its workspace for this time. */
export const requestTokenLifeMs = dayMs;

/** A request to create a key. Its caller can repeat it without creating a second key. */
export interface KeyRequest {
  workspaceId: string;
  token: string;
  /** SHA-256 of the requested key. The same token with another fingerprint is a conflict. */
  fingerprint: Buffer;
}

/** Returns undefined if the request has no token. Throws `invalid_request` for a malformed token. */
export function keyRequestOf(body: CreateKeyRequest): KeyRequest | undefined {
  const { workspaceId, requestToken: token } = body;
  if (token === '') return undefined;
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(token)) {
    throw invalidField('request_token', 'must have 16 to 64 characters of A-Z, a-z, 0-9, _ and -');
  }
  const { label, preset, scopes, expiresAtMs, actor, environment } = body;
  // The address of the actor is left out, because it can change between a call and its repetition.
  const members = [
    label.trim(),
    preset,
    String(expiresAtMs ?? ''),
    actor.trim(),
    environmentOfKey(environment),
    ...scopes.toSorted(),
  ];
  return { workspaceId, token, fingerprint: hash('sha256', lengthPrefixed(members), 'buffer') };
}
