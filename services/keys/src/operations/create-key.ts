import { environments } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { apiKeyDigest, newApiKey, newId, parseApiKey } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { type CreateKeyRequest, KeyChange } from '@shopscope/proto';
import { type Key, type KeyUse, keyFingerprint, latestExpiryMs } from '../domain/key.ts';
import { environmentOfKey } from '../domain/key-environment.ts';
import { type KeyRequest, keyRequestOf } from '../domain/key-request.ts';
import { chooseScopes, customPreset } from '../domain/scope.ts';
import { parseActor, parseAddress, parseLabel } from '../domain/text.ts';
import type { KeyMark } from '../outbound/mongo/keys.ts';
import { type Change, changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/** The input for a key of a person, or for a key of the dashboard, which the limit does not count. */
type NewKeyInput = Omit<CreateKeyRequest, 'requestToken'> & { use?: KeyUse };

export interface NewKey {
  key: Key;
  secret: string;
  mark: KeyMark;
}

/**
 * The largest number of unrevoked keys of both environments in a workspace, without the dashboard's keys. An expired key counts until it is
 * revoked. The limit bounds the lists of a workspace and prevents misuse.
 */
export const maxLiveKeys = 500;

/**
 * Creates a key. Only the result contains the secret.
 *
 * Concurrency: calls with the same request token create one key. Every creation changes the document of the workspace, so that one of two
 * transactions is repeated and finds the key of the other. A repeated call returns that key with an empty secret.
 */
export async function createKey(
  deps: Dependencies,
  input: CreateKeyRequest,
  context: CallContext,
): Promise<{ key: Key; secret: string }> {
  const request = keyRequestOf(input);
  return changeWorkspace(deps, input, context, async (change) => {
    const { tx } = change;
    const earlier = request && (await keyOfRequest(deps, request, tx));
    if (earlier) return { key: earlier, secret: '' };
    const made = newKey(deps, input);
    await insertKey(deps, made, change);
    if (request) await deps.keyRequests.put(request, made.key.id, deps.clock.now(), tx);
    return { key: made.key, secret: made.secret };
  });
}

/** Resolves to the key that an earlier call with the token has created, if any. */
async function keyOfRequest(deps: Dependencies, request: KeyRequest, tx: Tx): Promise<Key | null> {
  const found = await deps.keyRequests.find(request, deps.clock.now(), tx);
  if (!found) return null;
  if (!found.isSame) throw new AppError('conflict', 'The request token was used for another key; choose a new token.');
  // A transaction sees a commit before majority reads outside of it do. Such a read could miss the key.
  return deps.keys.find(request.workspaceId, found.keyId, tx);
}

/** Creates a key and its secret, without storing them. Throws `invalid_request` with the name of the invalid field. */
export function newKey(deps: Pick<Dependencies, 'clock' | 'peppers'>, input: NewKeyInput): NewKey {
  const nowMs = deps.clock.now();
  const label = parseLabel(input.label);
  const scopes = chooseScopes(input.preset, input.scopes);
  if (input.expiresAtMs !== undefined) {
    if (input.expiresAtMs <= nowMs) throw invalidField('expires_at', 'must be in the future');
    if (input.expiresAtMs > latestExpiryMs) throw invalidField('expires_at', 'must be before the year 10000');
  }
  const environment = environmentOfKey(input.environment);
  const secret = newApiKey(environment);
  const [pepper] = deps.peppers;
  return {
    secret,
    mark: { fingerprint: keyFingerprint(pepper.secret, apiKeyDigest(secret)), pepperId: pepper.id },
    key: {
      id: newId('key', nowMs),
      workspaceId: input.workspaceId,
      label,
      prefix: parseApiKey(secret)?.prefix ?? '',
      environment,
      scopes,
      preset: input.preset || customPreset,
      createdAt: new Date(nowMs),
      createdBy: parseActor(input.actor),
      createdFrom: parseAddress('actor_address', input.actorAddress),
      expiresAt: input.expiresAtMs === undefined ? null : new Date(input.expiresAtMs),
      revokedAt: null,
      revokedBy: '',
      lastUsedAt: null,
      use: input.use ?? 'api',
    },
  };
}

export async function insertKey(deps: Dependencies, { key, mark }: NewKey, change: Change): Promise<void> {
  const { tx } = change;
  if (!(await deps.workspaces.holdForNewKey(key.workspaceId, tx))) throw noSuchWorkspace();
  if (key.use === 'api' && (await isFull(deps, key.workspaceId, tx))) {
    throw new AppError('conflict', `A workspace has at most ${maxLiveKeys} keys; revoke one first.`);
  }
  await deps.keys.insert(key, mark, tx);
  await change.audit({ action: 'key.created', subjectId: key.id, detail: key.label });
  await change.announce(KeyChange.KEY_CREATED, { keyId: key.id });
}

/** Whether the limit of keys is reached. The dashboard's keys do not count; they are queried only at the limit, to save queries. */
async function isFull({ keys }: Dependencies, workspaceId: string, tx: Tx): Promise<boolean> {
  const unrevoked = await keys.countUnrevoked(workspaceId, tx);
  if (unrevoked < maxLiveKeys) return false;
  if (unrevoked >= maxLiveKeys + environments.length) return true;
  return unrevoked - (await keys.countOfDashboard(workspaceId, tx)) >= maxLiveKeys;
}
