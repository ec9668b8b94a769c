import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getKey } from '../../operations/get-key.ts';
import { encodeKey } from './encode.ts';

export const getKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['getKey'] =>
  async (request, context) => ({ key: encodeKey(await getKey(deps, request, context), deps.clock.now()) });
