import type { Deadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { Key, KeysServiceService, VerifyKeyResponse } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callPeer } from './call-peer.ts';

/** The calls of the keys service. */
export interface KeysClient {
  /** `digest` is the SHA-256 of the whole key. */
  verifyKey(digest: Buffer, origin: Origin, deadline: Deadline): Promise<VerifyKeyResponse>;
  /** All keys of the workspace, revoked and expired ones included. */
  listKeys(workspaceId: string, origin: Origin, deadline: Deadline): Promise<Key[]>;
}

export function createKeysClient(client: GrpcClient<typeof KeysServiceService>): KeysClient {
  return {
    verifyKey: (keyDigest, origin, deadline) =>
      callPeer((options) => client.verifyKey({ keyDigest, origin }, options), { deadline, origin }),
    async listKeys(workspaceId, origin, deadline) {
      const request = { workspaceId, includeInactive: true };
      const { keys } = await callPeer((options) => client.listKeys(request, options), { deadline, origin });
      return keys;
    },
  };
}
