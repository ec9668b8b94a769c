import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listKeys } from '../../operations/list-keys.ts';
import { encodeKey } from './encode.ts';

export const listKeysHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listKeys'] =>
  async (request, context) => {
    const { keys, atMs } = await listKeys(deps, request, context);
    return { keys: keys.map((key) => encodeKey(key, atMs)) };
  };
