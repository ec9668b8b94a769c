import { createGrpcClient, type GrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import { KeyStatus, KeysServiceService } from '@shopscope/proto';
import type { LocalState } from './state.ts';

type Keys = GrpcClient<typeof KeysServiceService>;

const actor = 'operator:npm start';

/** The demo workspace on plan `scale` with its two keys, and the one that fills the corpus. Keys that still work stay. */
export async function seedWorkspaces(address: string, security: GrpcSecurity, state: LocalState): Promise<LocalState> {
  const keys = createGrpcClient({ definition: KeysServiceService, address, security: security.towards('keys') });
  try {
    const known = [state.keys?.full, state.keys?.read_only, state.fillingKey?.secret];
    if ((await Promise.all(known.map((secret) => works(keys, secret)))).every(Boolean)) return state;
    const workspaceId = await createWorkspace(keys, 'Demo workspace');
    const fillingWorkspaceId = await createWorkspace(keys, 'Demo corpus');
    const { domains: _, unseenDomains: __, ...rest } = state;
    return {
      ...rest,
      workspaceId,
      keys: {
        full: await createKey(keys, workspaceId, 'full'),
        read_only: await createKey(keys, workspaceId, 'read_only'),
      },
      fillingKey: { workspaceId: fillingWorkspaceId, secret: await createKey(keys, fillingWorkspaceId, 'full') },
    };
  } finally {
    keys.close();
  }
}

async function works(keys: Keys, secret: string | undefined): Promise<boolean> {
  if (!secret) return false;
  const { status } = await keys.verifyKey({ keyDigest: apiKeyDigest(secret), origin: undefined });
  return status === KeyStatus.ACTIVE;
}

async function createWorkspace(keys: Keys, name: string): Promise<string> {
  const { workspace } = await keys.createWorkspace({ name, planSlug: 'scale', actor });
  return workspace?.id ?? '';
}

async function createKey(keys: Keys, workspaceId: string, preset: string): Promise<string> {
  const label = `demo ${preset.replace('_', ' ')}`;
  return (await keys.createKey({ workspaceId, label, preset, scopes: [], expiresAtMs: undefined, actor })).secret;
}
