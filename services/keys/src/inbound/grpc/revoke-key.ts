import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { revokeKey } from '../../operations/revoke-key.ts';
import { encodeKey } from './encode.ts';

export const revokeKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['revokeKey'] =>
  async (request, caller) => ({ key: encodeKey(await revokeKey(deps, request, caller), deps.clock.now()) });
