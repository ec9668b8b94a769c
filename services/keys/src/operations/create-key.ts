import { AppError, invalidField } from '@shopscope/errors';
import { apiKeyDigest, newApiKey, newId, parseApiKey } from '@shopscope/ids';
import { KeyChange } from '@shopscope/proto';
import { type Key, keyFingerprint } from '../domain/key.ts';
import { chooseScopes } from '../domain/scope.ts';
import { givenName } from '../domain/text.ts';
import { recordAudit } from './audit.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface CreateKey {
  workspaceId: string;
  label: string;
  preset: string;
  scopes: readonly string[];
  expiresAtMs: number | undefined;
  actor: string;
}

/** A workspace with more keys than this is being misused, and its lists would grow without bound. */
const liveKeysMax = 500;

/** Makes a key. The secret is in the result and nowhere else. */
export async function createKey(
  deps: Dependencies,
  input: CreateKey,
  caller: Caller,
): Promise<{ key: Key; secret: string }> {
  const nowMs = deps.clock.now();
  const label = givenName('label', input.label, 100);
  const scopes = chooseScopes(input.preset, input.scopes);
  if (input.expiresAtMs !== undefined && !(input.expiresAtMs > nowMs && input.expiresAtMs < 8.64e15)) {
    throw invalidField('expires_at', 'must be in the future');
  }
  if (!(await deps.workspaces.find(input.workspaceId, caller.remainingMs))) throw noSuchWorkspace();

  const secret = newApiKey('live');
  const key: Key = {
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
  };
  const fingerprint = keyFingerprint(deps.pepper, apiKeyDigest(secret));

  await deps.inTransaction(async (session) => {
    if ((await deps.keys.countLive(key.workspaceId, session)) >= liveKeysMax) {
      throw new AppError('conflict', `A workspace has at most ${liveKeysMax} keys; revoke one first.`);
    }
    await deps.keys.insert(key, fingerprint, session);
    await recordAudit(deps, session, {
      workspaceId: key.workspaceId,
      actor: input.actor,
      action: 'key.created',
      subjectId: key.id,
    });
    await deps.announce(
      session,
      { change: KeyChange.KEY_CREATED, workspaceId: key.workspaceId, keyId: key.id, planSlug: '', atMs: nowMs },
      caller.origin,
    );
  }, caller.remainingMs);
  return { key, secret };
}
