import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { createKey } from '../../operations/create-key.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeKey } from './encode.ts';

export const createKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['createKey'] =>
  async (request, context) => {
    const { key, secret } = await createKey(deps, { ...request, expiresAtMs: request.expiresAtMs }, context);
    return { key: encodeKey(key, deps.clock.now()), secret };
  };
