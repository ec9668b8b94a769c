import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import { callPeer, type GrpcClient } from '@shopscope/grpc';
import type { Key, KeysServiceService, VerifyKeyResponse } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

const keysPerCall = 200;

export type KeysClient = ReturnType<typeof createKeysClient>;

/** The calls of the keys service. */
export function createKeysClient(client: GrpcClient<typeof KeysServiceService>) {
  return {
    /** `keyDigest` is the SHA-256 of the whole key. */
    verifyKey: (keyDigest: Buffer, origin: Origin, deadline: Deadline): Promise<VerifyKeyResponse> =>
      callPeer((options) => client.verifyKey({ keyDigest }, options), { deadline, origin }),
    /** Resolves to the active keys of the workspace in the environment, at most 501. */
    async listActiveKeys(
      { workspaceId, environment }: { workspaceId: string; environment: Environment },
      origin: Origin,
      deadline: Deadline,
    ): Promise<Key[]> {
      const request = { workspaceId, environment, includeInactive: false };
      const { keys } = await callPeer((options) => client.listKeys(request, options), { deadline, origin });
      return keys;
    },
    /** Resolves to those of the keys that belong to the workspace, including revoked and expired ones. */
    async getKeys(workspaceId: string, keyIds: readonly string[], origin: Origin, deadline: Deadline): Promise<Key[]> {
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
