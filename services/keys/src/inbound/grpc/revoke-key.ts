import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { revokeKey } from '../../operations/revoke-key.ts';
import { encodeKey } from './encode.ts';

export const revokeKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['revokeKey'] =>
  async (request, context) => ({ key: encodeKey(await revokeKey(deps, request, context), deps.clock.now()) });
