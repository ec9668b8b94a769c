import type { Deadline } from '@shopscope/async';
import { callPeer, type GrpcClient } from '@shopscope/grpc';
import type { Key, KeysServiceService, VerifyKeyResponse } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/** The calls of the keys service. */
export interface KeysClient {
  /** `digest` is the SHA-256 of the whole key. */
  verifyKey(digest: Buffer, origin: Origin, deadline: Deadline): Promise<VerifyKeyResponse>;
  /** The active keys of the workspace, at most 501. */
  listActiveKeys(workspaceId: string, origin: Origin, deadline: Deadline): Promise<Key[]>;
  /** Those of the keys that the workspace has, revoked and expired ones too. */
  getKeys(workspaceId: string, keyIds: readonly string[], origin: Origin, deadline: Deadline): Promise<Key[]>;
}

const keysPerCall = 200;

export function createKeysClient(client: GrpcClient<typeof KeysServiceService>): KeysClient {
  return {
    verifyKey: (keyDigest, origin, deadline) =>
      callPeer((options) => client.verifyKey({ keyDigest, origin }, options), { deadline, origin }),
    async listActiveKeys(workspaceId, origin, deadline) {
      const request = { workspaceId, includeInactive: false };
      const { keys } = await callPeer((options) => client.listKeys(request, options), { deadline, origin });
      return keys;
    },
    async getKeys(workspaceId, keyIds, origin, deadline) {
      const found: Key[] = [];
      for (let first = 0; first < keyIds.length; first += keysPerCall) {
        const request = { workspaceId, keyIds: keyIds.slice(first, first + keysPerCall) };
        const { keys } = await callPeer((options) => client.getKeys(request, options), { deadline, origin });
        found.push(...keys);
      }
      return found;
    },
  };
}
