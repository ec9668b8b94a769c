import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { createWorkspace } from '../../operations/create-workspace.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeWorkspace } from './encode.ts';

export const createWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['createWorkspace'] =>
  async (request, context) => ({ workspace: encodeWorkspace(await createWorkspace(deps, request, context)) });
