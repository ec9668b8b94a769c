import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { apiKeyDigest, newApiKey, newId, parseApiKey } from '@shopscope/ids';
import { KeyChange } from '@shopscope/proto';
import type { ClientSession } from 'mongodb';
import { type Key, keyFingerprint } from '../domain/key.ts';
import { chooseScopes } from '../domain/scope.ts';
import { givenName } from '../domain/text.ts';
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

/** A workspace with more keys than this is being misused, and its lists would grow without bound. */
const liveKeysMax = 500;

/** Makes a key. The secret is in the result and nowhere else. */
export async function createKey(
  deps: Dependencies,
  input: CreateKey,
  caller: CallContext,
): Promise<{ key: Key; secret: string }> {
  const made = newKey(deps, input);
  if (!(await deps.workspaces.find(input.workspaceId, caller.deadline.timeoutMs()))) throw noSuchWorkspace();
  await deps.inTransaction((session) => insertKey(deps, made, input.actor, session, caller), caller.deadline);
  return { key: made.key, secret: made.secret };
}

/** Throws `invalid_request` naming the field at fault. */
export function newKey(deps: Pick<Dependencies, 'clock' | 'peppers'>, input: CreateKey): NewKey {
  const nowMs = deps.clock.now();
  const label = givenName('label', input.label, 100);
  const scopes = chooseScopes(input.preset, input.scopes);
  if (input.expiresAtMs !== undefined && !(input.expiresAtMs > nowMs && input.expiresAtMs < 8.64e15)) {
    throw invalidField('expires_at', 'must be in the future');
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
      createdBy: givenName('actor', input.actor, 200),
      expiresAt: input.expiresAtMs === undefined ? null : new Date(input.expiresAtMs),
      revokedAt: null,
    },
  };
}

export async function insertKey(
  deps: Dependencies,
  { key, mark }: NewKey,
  actor: string,
  session: ClientSession,
  caller: CallContext,
): Promise<void> {
  if ((await deps.keys.countLive(key.workspaceId, session)) >= liveKeysMax) {
    throw new AppError('conflict', `A workspace has at most ${liveKeysMax} keys; revoke one first.`);
  }
  await deps.keys.insert(key, mark, session);
  await recordAudit(deps, session, {
    workspaceId: key.workspaceId,
    actor,
    action: 'key.created',
    subjectId: key.id,
  });
  await deps.announce(
    session,
    {
      change: KeyChange.KEY_CREATED,
      workspaceId: key.workspaceId,
      keyId: key.id,
      planSlug: '',
      atMs: key.createdAt.getTime(),
    },
    caller.origin,
  );
}
