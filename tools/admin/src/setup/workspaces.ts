import type { GrpcClient } from '@shopscope/grpc';
import { type Key, KeyStatus, type KeysServiceService, type Workspace } from '@shopscope/proto';

export type Keys = Pick<
  GrpcClient<typeof KeysServiceService>,
  'createKey' | 'createWorkspace' | 'listKeys' | 'listWorkspaces' | 'revokeKey'
>;

export const actor = 'operator:setup';
const pageSize = 200;
const pagesMax = 1_000;

/** The oldest workspace of this name; creates it when there is none. */
export async function ensureWorkspace(keys: Keys, name: string, planSlug: string): Promise<Workspace> {
  let afterId = '';
  for (let page = 0; page < pagesMax; page++) {
    const { workspaces } = await keys.listWorkspaces({ afterId, limit: pageSize });
    const found = workspaces.find((workspace) => workspace.name === name);
    if (found) return found;
    const last = workspaces.at(-1);
    if (!last || workspaces.length < pageSize) {
      const { workspace } = await keys.createWorkspace({ name, planSlug, actor });
      if (!workspace) throw new Error('the keys service created no workspace');
      return workspace;
    }
    afterId = last.id;
  }
  throw new Error(`"${name}" is not among the first ${pagesMax * pageSize} workspaces`);
}

/** The active key with this label, without its secret, or a new one with it. A secret is readable at creation only. */
export async function ensureKey(
  keys: Keys,
  workspaceId: string,
  label: string,
): Promise<{ key: Key; secret?: string }> {
  const listed = await keys.listKeys({ workspaceId, includeInactive: false });
  const existing = listed.keys.find((key) => key.label === label && key.status === KeyStatus.ACTIVE);
  if (existing) return { key: existing };
  const { key, secret } = await keys.createKey({
    workspaceId,
    label,
    preset: 'full',
    scopes: [],
    expiresAtMs: undefined,
    actor,
  });
  if (!key) throw new Error('the keys service created no key');
  return { key, secret };
}
