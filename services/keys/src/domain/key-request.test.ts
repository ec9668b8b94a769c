import type { CreateKeyRequest } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { keyRequestOf } from './key-request.ts';

const body: CreateKeyRequest = {
  workspaceId: 'ws_1',
  label: 'ci',
  preset: '',
  scopes: ['read:stores', 'read:jobs'],
  expiresAtMs: undefined,
  actor: 'usr_1',
  actorAddress: '',
  requestToken: 'token-of-the-form',
};
const fingerprintOf = (over: Partial<CreateKeyRequest> = {}) =>
  keyRequestOf({ ...body, ...over })?.fingerprint.toString('hex');

describe('keyRequestOf', () => {
  it('a request of a key has no identity without a token', () => {
    expect(keyRequestOf({ ...body, requestToken: '' })).toBeUndefined();
  });

  it('a request of a key has the same identity for the same body, whatever the order of its scopes', () => {
    expect(fingerprintOf({ scopes: ['read:jobs', 'read:stores'], label: ' ci ' })).toBe(fingerprintOf());
  });

  it('a request of a key without an environment is one of a live key', () => {
    expect(fingerprintOf({ environment: 'live' })).toBe(fingerprintOf());
  });

  it.each<Partial<CreateKeyRequest>>([
    { label: 'ci 2' },
    { preset: 'full', scopes: [] },
    { scopes: ['read:stores'] },
    { expiresAtMs: 1 },
    { actor: 'usr_2' },
    { environment: 'test' },
  ])('a request of a key has another identity with %j', (over) => {
    expect(fingerprintOf(over)).not.toBe(fingerprintOf());
  });
});
