import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { renameWorkspace } from '../../operations/rename-workspace.ts';
import { encodeWorkspace } from './encode.ts';

export const renameWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['renameWorkspace'] =>
  async (request, context) => ({ workspace: encodeWorkspace(await renameWorkspace(deps, request, context)) });
