import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { issueDashboardKey } from '../../operations/issue-dashboard-key.ts';
import { encodeKey } from './encode.ts';

export const issueDashboardKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['issueDashboardKey'] =>
  async (request, context) => {
    const { key, secret } = await issueDashboardKey(deps, request, context);
    return { key: encodeKey(key, deps.clock.now()), secret };
  };
