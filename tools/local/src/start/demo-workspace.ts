import { corpusWorkspaceName, type Keys, putCorpusPlan } from '@shopscope/demo-stores';
import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import { KeyStatus, KeysServiceService } from '@shopscope/proto';
import type { LocalState } from './state.ts';

const actor = 'operator:npm start';

export type SeededState = LocalState & Required<Pick<LocalState, 'keys' | 'corpusKey'>>;

/**
 * Creates the demo workspace on plan `scale` with two keys, and the workspace that scans the demo stores.
 *
 * - Keys that still work are kept.
 * - A new corpus workspace -> the corpus is filled again, because its data may have been deleted.
 */
export async function seedWorkspaces(address: string, security: GrpcSecurity, state: LocalState): Promise<SeededState> {
  const keys = createGrpcClient({ definition: KeysServiceService, address, security: security.towards('keys') });
  try {
    const demo = await demoWorkspace(keys, state);
    if (state.corpusKey && (await works(keys, state.corpusKey.secret)))
      return { ...state, ...demo, corpusKey: state.corpusKey };
    const { domains: _, scanFailures: __, ...rest } = state;
    return { ...rest, ...demo, corpusKey: await corpusWorkspace(keys) };
  } finally {
    keys.close();
  }
}

async function demoWorkspace(keys: Keys, state: LocalState) {
  const { workspaceId, keys: known } = state;
  if (known && (await works(keys, known.full)) && (await works(keys, known.read_only)))
    return { workspaceId: workspaceId ?? '', keys: known };
  const created = await createWorkspace(keys, 'Demo workspace', 'scale');
  const [full, readOnly] = [await createKey(keys, created, 'full'), await createKey(keys, created, 'read_only')];
  return { workspaceId: created, keys: { full, read_only: readOnly } };
}

async function corpusWorkspace(keys: Keys): Promise<{ workspaceId: string; secret: string }> {
  const workspaceId = await createWorkspace(keys, corpusWorkspaceName, await putCorpusPlan(keys, actor));
  return { workspaceId, secret: await createKey(keys, workspaceId, 'full') };
}

async function works(keys: Keys, secret: string): Promise<boolean> {
  const { status } = await keys.verifyKey({ keyDigest: apiKeyDigest(secret) });
  return status === KeyStatus.ACTIVE;
}

async function createWorkspace(keys: Keys, name: string, planSlug: string): Promise<string> {
  const { workspace } = await keys.createWorkspace({ name, planSlug, actor, actorAddress: '' });
  return workspace?.id ?? '';
}

async function createKey(keys: Keys, workspaceId: string, preset: string): Promise<string> {
  const label = `demo ${preset.replace('_', ' ')}`;
  const key = { workspaceId, label, preset, scopes: [], expiresAtMs: undefined };
  return (await keys.createKey({ ...key, actor, actorAddress: '', requestToken: '' })).secret;
}
