import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { setUpWorkspace } from '../../operations/set-up-workspace.ts';
import { encodeKey, encodeWorkspace } from './encode.ts';

export const setUpWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['setUpWorkspace'] =>
  async (request, context) => {
    const done = await setUpWorkspace(deps, request, context);
    const workspace = encodeWorkspace(done.workspace);
    if (!done.created) return { workspace, created: false, key: undefined, secret: '' };
    return { workspace, created: true, key: encodeKey(done.key, deps.clock.now()), secret: done.secret };
  };
