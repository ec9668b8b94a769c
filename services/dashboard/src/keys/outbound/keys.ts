import { type GrpcClient, unlessNotFound } from '@shopscope/grpc';
import type {
  CreateWorkspaceRequest,
  DeleteWorkspaceRequest,
  IssueDashboardKeyRequest,
  Key,
  KeysServiceService,
  ListKeysRequest,
  Plan,
  Workspace,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callServiceOnce, pageCalls } from '../../app/outbound/call.ts';

const keysPerCall = 200;

export type KeysClient = ReturnType<typeof createKeysClient>;

/** The calls of the keys service. Errors are AppErrors with the code and the public text of the service. */
export function createKeysClient(client: GrpcClient<typeof KeysServiceService>) {
  const calls = pageCalls(
    client,
    'getWorkspace',
    'renameWorkspace',
    'deleteWorkspace',
    'listKeys',
    'getKeys',
    'getKey',
    'createKey',
    'revokeKey',
    'revokeKeys',
    'listAuditEntries',
    'recordAuditEntry',
  );
  return {
    ...calls,
    async getWorkspace(workspaceId: string, origin: Origin) {
      return (await calls.getWorkspace({ workspaceId }, origin)) as { workspace: Workspace; plan: Plan };
    },
    async createWorkspace(request: CreateWorkspaceRequest, origin: Origin) {
      const { workspace } = await callServiceOnce((options) => client.createWorkspace(request, options), origin);
      return workspace as Workspace;
    },
    /** A workspace that does not exist counts as deleted: an earlier attempt deleted it. */
    async deleteWorkspace(request: DeleteWorkspaceRequest, origin: Origin) {
      await unlessNotFound(calls.deleteWorkspace(request, origin));
    },
    /** Without a limit, all keys that are neither revoked nor expired, the oldest first. */
    listKeys: (request: Omit<ListKeysRequest, 'includeInactive'>, origin: Origin) =>
      calls.listKeys({ ...request, includeInactive: false }, origin),
    /** Those of the keys that the workspace has, in any state. */
    async getKeys(workspaceId: string, keyIds: readonly string[], origin: Origin) {
      const found: Key[] = [];
      for (let first = 0; first < keyIds.length; first += keysPerCall) {
        const request = { workspaceId, keyIds: keyIds.slice(first, first + keysPerCall) };
        found.push(...(await calls.getKeys(request, origin)).keys);
      }
      return found;
    },
    /** Throws `not_found` for a key that does not exist and for one of another workspace. */
    async getKey(workspaceId: string, keyId: string, origin: Origin) {
      return (await calls.getKey({ workspaceId, keyId }, origin)).key as Key;
    },
    /** The key that the dashboard calls gateways with. A lost response is not repeated: the next call replaces the key. */
    async issueDashboardKey(request: IssueDashboardKeyRequest, origin: Origin) {
      const { key, secret } = await callServiceOnce((options) => client.issueDashboardKey(request, options), origin);
      return { keyId: key?.id ?? '', secret };
    },
  };
}
