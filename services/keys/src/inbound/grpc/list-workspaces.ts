import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeWorkspace } from './encode.ts';
import { pageSize } from './page-size.ts';

export const listWorkspacesHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listWorkspaces'] =>
  async (request, caller) => {
    const found = await deps.workspaces.list(request.afterId, pageSize(request.limit), caller.deadline.timeoutMs());
    return { workspaces: found.map(encodeWorkspace) };
  };
