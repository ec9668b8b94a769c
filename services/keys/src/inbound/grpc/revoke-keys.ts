import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { revokeKeys } from '../../operations/revoke-keys.ts';

export const revokeKeysHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['revokeKeys'] =>
  async (request, context) => ({ revokedKeys: await revokeKeys(deps, request, context) });
