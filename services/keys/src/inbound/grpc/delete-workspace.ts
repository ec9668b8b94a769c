import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { deleteWorkspace } from '../../operations/delete-workspace.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

export const deleteWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['deleteWorkspace'] =>
  async (request, context) => ({ revokedKeys: await deleteWorkspace(deps, request, context) });
