import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listKeyPage } from '../../operations/list-key-page.ts';
import { listKeys } from '../../operations/list-keys.ts';
import { encodeKey } from './encode.ts';
import { pageSize } from './page-size.ts';

export const listKeysHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listKeys'] =>
  async (request, context) => {
    const { workspaceId, limit, position = '', revoked = false, revokedAfterMs = 0 } = request;
    if (limit === undefined) {
      const { keys, atMs } = await listKeys(deps, request, context);
      return { keys: keys.map((key) => encodeKey(key, atMs)) };
    }
    const page = { workspaceId, limit: pageSize(limit), position, isRevoked: revoked, revokedAfterMs };
    const { keys, nextPosition } = await listKeyPage(deps, page, context);
    const atMs = deps.clock.now();
    return { keys: keys.map((key) => encodeKey(key, atMs)), nextPosition };
  };
