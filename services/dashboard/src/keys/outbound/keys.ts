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
    /** A workspace that does not exist counts as deleted, because an earlier attempt deleted it. */
    async deleteWorkspace(request: DeleteWorkspaceRequest, origin: Origin) {
      await unlessNotFound(calls.deleteWorkspace(request, origin));
    },
    /** Without a limit: all keys that are neither revoked nor expired, oldest first. */
    listKeys: (request: Omit<ListKeysRequest, 'includeInactive'>, origin: Origin) =>
      calls.listKeys({ ...request, includeInactive: false }, origin),
    /** The keys of the workspace with these ids, in any state. */
    async getKeys(workspaceId: string, keyIds: readonly string[], origin: Origin) {
      const found: Key[] = [];
      for (let first = 0; first < keyIds.length; first += keysPerCall) {
        const request = { workspaceId, keyIds: keyIds.slice(first, first + keysPerCall) };
        found.push(...(await calls.getKeys(request, origin)).keys);
      }
      return found;
    },
    /** Throws `not_found` if the key does not exist or belongs to another workspace. */
    async getKey(workspaceId: string, keyId: string, origin: Origin) {
      return (await calls.getKey({ workspaceId, keyId }, origin)).key as Key;
    },
    /** Issues the key that the dashboard uses to call gateways. It is not retried: after a lost response, the next call makes a new key. */
    async issueDashboardKey(request: IssueDashboardKeyRequest, origin: Origin) {
      const { key, secret } = await callServiceOnce((options) => client.issueDashboardKey(request, options), origin);
      return { keyId: key?.id ?? '', secret };
    },
  };
}
