import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { givenId } from '../../domain/text.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeWorkspace } from './encode.ts';
import { pageSize } from './page-size.ts';

export const listWorkspacesHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listWorkspaces'] =>
  async (request, context) => {
    if (request.afterId) givenId('after_id', request.afterId, 'ws');
    const found = await deps.workspaces.list(request.afterId, pageSize(request.limit), context.deadline.timeoutMs());
    return { workspaces: found.map(encodeWorkspace) };
  };
