import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { setWorkspacePlan } from '../../operations/set-workspace-plan.ts';
import { encodeWorkspace } from './encode.ts';

export const setWorkspacePlanHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['setWorkspacePlan'] =>
  async (request, context) => ({ workspace: encodeWorkspace(await setWorkspacePlan(deps, request, context)) });
