import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getKeys } from '../../operations/get-keys.ts';
import { encodeKey } from './encode.ts';

export const getKeysHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['getKeys'] =>
  async (request, context) => {
    const keys = await getKeys(deps, request, context);
    const atMs = deps.clock.now();
    return { keys: keys.map((key) => encodeKey(key, atMs)) };
  };
