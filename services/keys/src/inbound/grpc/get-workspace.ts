import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getWorkspace } from '../../operations/get-workspace.ts';
import { encodePlan, encodeWorkspace } from './encode.ts';

export const getWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['getWorkspace'] =>
  async (request, context) => {
    const { workspace, plan } = await getWorkspace(deps, request.workspaceId, context);
    return { workspace: encodeWorkspace(workspace), plan: encodePlan(plan) };
  };
