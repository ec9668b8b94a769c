import { AppError } from '@shopscope/errors';
import type { GrpcClient } from '@shopscope/grpc';
import type {
  AuditEntry,
  CreateKeyRequest,
  CreateKeyResponse,
  Key,
  KeysServiceService,
  Plan,
  RecordAuditEntryRequest,
  Workspace,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Actor } from '../../app/domain/actor.ts';
import { callService, callServiceOnce } from '../../app/outbound/call.ts';

export interface KeyPageRequest {
  /** At most 200. */
  limit: number;
  revoked: boolean;
  /** The `nextPosition` of the page before. */
  position?: string;
  revokedAfterMs?: number;
}

export interface KeyPage {
  keys: Key[];
  nextPosition: string | undefined;
}

const keysPerCall = 200;

export type KeysClient = ReturnType<typeof createKeysClient>;

/** The calls of the keys service. Errors are AppErrors with the code and the public text of the service. */
export function createKeysClient(client: GrpcClient<typeof KeysServiceService>) {
  return {
    async getWorkspace(workspaceId: string, origin: Origin): Promise<{ workspace: Workspace; plan: Plan }> {
      const { workspace, plan } = await callService((options) => client.getWorkspace({ workspaceId }, options), origin);
      return { workspace: workspace as Workspace, plan: plan as Plan };
    },
    async createWorkspace(name: string, planSlug: string, actor: Actor, origin: Origin): Promise<Workspace> {
      const { workspace } = await callServiceOnce(
        (options) => client.createWorkspace({ name, planSlug, ...actor }, options),
        origin,
      );
      return workspace as Workspace;
    },
    async renameWorkspace(workspaceId: string, name: string, actor: Actor, origin: Origin): Promise<void> {
      await callService((options) => client.renameWorkspace({ workspaceId, name, ...actor }, options), origin);
    },
    /** A workspace that does not exist counts as deleted: an earlier attempt deleted it. */
    async deleteWorkspace(workspaceId: string, actor: Actor, origin: Origin): Promise<void> {
      await callService((options) => client.deleteWorkspace({ workspaceId, ...actor }, options), origin).catch(
        (error) => {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        },
      );
    },
    /** A page of unrevoked keys, the newest first; or of revoked keys, the latest revocation first. */
    async keyPage(workspaceId: string, page: KeyPageRequest, origin: Origin): Promise<KeyPage> {
      const request = { workspaceId, includeInactive: false, ...page };
      const { keys, nextPosition } = await callService((options) => client.listKeys(request, options), origin);
      return { keys, nextPosition };
    },
    /** Those of the keys that the workspace has, in any state. */
    async getKeys(workspaceId: string, keyIds: readonly string[], origin: Origin): Promise<Key[]> {
      const found: Key[] = [];
      for (let first = 0; first < keyIds.length; first += keysPerCall) {
        const request = { workspaceId, keyIds: keyIds.slice(first, first + keysPerCall) };
        found.push(...(await callService((options) => client.getKeys(request, options), origin)).keys);
      }
      return found;
    },
    /** Keys that are neither revoked nor expired, the oldest first. */
    async listValidKeys(workspaceId: string, origin: Origin): Promise<Key[]> {
      const request = { workspaceId, includeInactive: false };
      return (await callService((options) => client.listKeys(request, options), origin)).keys;
    },
    /** Throws `not_found` for a key that does not exist and for one of another workspace. */
    async getKey(workspaceId: string, keyId: string, origin: Origin): Promise<Key> {
      return (await callService((options) => client.getKey({ workspaceId, keyId }, options), origin)).key as Key;
    },
    /** The same `requestToken` never creates a second key. The secret is empty when an earlier call created the key. */
    createKey(request: CreateKeyRequest, origin: Origin): Promise<CreateKeyResponse> {
      return callService((options) => client.createKey(request, options), origin);
    },
    async revokeKey(workspaceId: string, keyId: string, actor: Actor, origin: Origin): Promise<Key> {
      const request = { workspaceId, keyId, ...actor };
      return (await callService((options) => client.revokeKey(request, options), origin)).key as Key;
    },
    /** All of them, or none. Resolves with the number of keys that were not revoked before. */
    async revokeKeys(workspaceId: string, keyIds: readonly string[], actor: Actor, origin: Origin): Promise<number> {
      const request = { workspaceId, keyIds: [...keyIds], ...actor };
      return (await callService((options) => client.revokeKeys(request, options), origin)).revokedKeys;
    },
    /** The key that the dashboard calls gateways with. A lost response is not repeated: the next call replaces the key. */
    async issueDashboardKey(
      request: { workspaceId: string; switchOn: boolean } & Actor,
      origin: Origin,
    ): Promise<{ keyId: string; secret: string }> {
      const { key, secret } = await callServiceOnce((options) => client.issueDashboardKey(request, options), origin);
      return { keyId: key?.id ?? '', secret };
    },
    /** Newest first. */
    async listAuditEntries(
      workspaceId: string,
      beforeId: string,
      limit: number,
      origin: Origin,
    ): Promise<AuditEntry[]> {
      const request = { workspaceId, beforeId, limit };
      return (await callService((options) => client.listAuditEntries(request, options), origin)).entries;
    },
    async recordAuditEntry(request: RecordAuditEntryRequest, origin: Origin): Promise<void> {
      await callService((options) => client.recordAuditEntry(request, options), origin);
    },
  };
}
