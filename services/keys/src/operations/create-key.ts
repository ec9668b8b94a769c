import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { apiKeyDigest, newApiKey, newId, parseApiKey } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { KeyChange } from '@shopscope/proto';
import { type Key, keyFingerprint, latestExpiryMs } from '../domain/key.ts';
import { chooseScopes } from '../domain/scope.ts';
import { givenActor, givenId, givenName } from '../domain/text.ts';
import type { KeyMark } from '../outbound/mongo/keys.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface CreateKey {
  workspaceId: string;
  label: string;
  preset: string;
  scopes: readonly string[];
  expiresAtMs: number | undefined;
  actor: string;
}

export interface NewKey {
  key: Key;
  secret: string;
  mark: KeyMark;
}

/**
 * The largest number of unrevoked keys in a workspace. An expired key counts until it is revoked. The limit bounds the lists of a
 * workspace and prevents misuse.
 */
const liveKeysMax = 500;

/** Creates a key. Only the result contains the secret. */
export async function createKey(
  deps: Dependencies,
  input: CreateKey,
  context: CallContext,
): Promise<{ key: Key; secret: string }> {
  givenId('workspace_id', input.workspaceId, 'ws');
  const made = newKey(deps, input);
  // Concurrent creations in one workspace conflict. Without the queue, many calls would exceed their deadline by retries.
  const create = () => deps.transact((tx) => insertKey(deps, made, input.actor, tx, context), context);
  await deps.creations.submit({ workspaceId: input.workspaceId, create }, context.deadline);
  return { key: made.key, secret: made.secret };
}

/** Throws `invalid_request` that names the wrong field. */
export function newKey(deps: Pick<Dependencies, 'clock' | 'peppers'>, input: CreateKey): NewKey {
  const nowMs = deps.clock.now();
  const label = givenName('label', input.label, 100);
  const scopes = chooseScopes(input.preset, input.scopes);
  if (input.expiresAtMs !== undefined) {
    if (input.expiresAtMs <= nowMs) throw invalidField('expires_at', 'must be in the future');
    if (input.expiresAtMs > latestExpiryMs) throw invalidField('expires_at', 'must be before the year 10000');
  }
  const secret = newApiKey('live');
  const [pepper] = deps.peppers;
  return {
    secret,
    mark: { fingerprint: keyFingerprint(pepper.secret, apiKeyDigest(secret)), pepperId: pepper.id },
    key: {
      id: newId('key', nowMs),
      workspaceId: input.workspaceId,
      label,
      prefix: parseApiKey(secret)?.prefix ?? '',
      environment: 'live',
      scopes,
      createdAt: new Date(nowMs),
      createdBy: givenActor(input.actor),
      expiresAt: input.expiresAtMs === undefined ? null : new Date(input.expiresAtMs),
      revokedAt: null,
    },
  };
}

export async function insertKey(
  deps: Dependencies,
  { key, mark }: NewKey,
  actor: string,
  tx: Tx,
  context: CallContext,
): Promise<void> {
  if (!(await deps.workspaces.holdForNewKey(key.workspaceId, tx))) throw noSuchWorkspace();
  if ((await deps.keys.countLive(key.workspaceId, tx)) >= liveKeysMax) {
    throw new AppError('conflict', `A workspace has at most ${liveKeysMax} keys; revoke one first.`);
  }
  await deps.keys.insert(key, mark, tx);
  await recordAudit(deps, tx, {
    workspaceId: key.workspaceId,
    actor,
    action: 'key.created',
    subjectId: key.id,
  });
  await deps.appendEvent(
    tx,
    {
      change: KeyChange.KEY_CREATED,
      workspaceId: key.workspaceId,
      keyId: key.id,
      planSlug: '',
      atMs: key.createdAt.getTime(),
    },
    context.origin,
  );
}
