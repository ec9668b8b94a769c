import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { changeSuspension } from '../../operations/change-suspension.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeWorkspace } from './encode.ts';

export const suspendWorkspaceHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['suspendWorkspace'] =>
  async (request, context) => ({
    workspace: encodeWorkspace(await changeSuspension(deps, { ...request, suspended: true }, context)),
  });
