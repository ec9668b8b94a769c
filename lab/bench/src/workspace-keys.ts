import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import { unlimitedKeys } from '@shopscope/local';
import { KeyStatus, KeysServiceService } from '@shopscope/proto';
import { createProgress } from './progress.ts';
import type { BenchSettings } from './settings.ts';

const workspacesAtOnce = 8;
/** An interrupted run loses at most this many keys. */
const keysPerSave = 1_000;
const actor = 'operator:bench';

/**
 * Creates workspaces with several keys each. Resolves to the secrets of the keys of each workspace.
 *
 * - A file of the local state keeps the keys for the next run, because it takes minutes to create a hundred thousand.
 * - Concurrency: {@link workspacesAtOnce} workspaces get keys at the same time. The keys of one workspace are created one after the other,
 *   because each creation changes the document of the workspace.
 */
export async function workspacesWithKeys(
  keysAddress: string,
  { stateDir, keyWorkspaces, manyKeys }: Pick<BenchSettings, 'stateDir' | 'keyWorkspaces' | 'manyKeys'>,
  say: (line: string) => void,
): Promise<string[][]> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, 'workspace-keys.json');
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  const all = await keptKeys(keys, file);
  const save = () => writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  const missing = Math.max(0, keyWorkspaces - all.length);
  if (missing > 0) all.push(...(await unlimitedKeys(keysAddress, 'bench-keys', missing)).map((secret) => [secret]));

  const wanted = all.slice(0, keyWorkspaces);
  let done = wanted.reduce((count, secrets) => count + Math.min(secrets.length, manyKeys), 0);
  const progress = createProgress({ what: 'keys', total: keyWorkspaces * manyKeys, done, say });
  const fill = async (secrets: string[]) => {
    if (secrets.length >= manyKeys) return;
    const { workspace } = await verify(keys, secrets[0] as string);
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: 'bench', preset: 'full', scopes: [], expiresAtMs: undefined };
    while (secrets.length < manyKeys) {
      const { secret } = await keys.createKey({ ...key, actor, actorAddress: '', requestToken: '' });
      secrets.push(secret);
      progress.update(++done);
      if (done % keysPerSave === 0) save();
    }
  };
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await fill(next);
  };
  try {
    await Promise.all(Array.from({ length: workspacesAtOnce }, work));
    return wanted.map((secrets) => secrets.slice(0, manyKeys));
  } finally {
    save();
    keys.close();
  }
}

type Keys = GrpcClient<typeof KeysServiceService>;

const verify = (keys: Keys, secret: string) => keys.verifyKey({ keyDigest: apiKeyDigest(secret) });

/** Resolves to the keys of an earlier run, or to none if the data of the system were deleted since. */
async function keptKeys(keys: Keys, file: string): Promise<string[][]> {
  let kept: string[][];
  try {
    kept = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  const first = kept[0]?.[0];
  return first && (await verify(keys, first)).status === KeyStatus.ACTIVE ? kept : [];
}
