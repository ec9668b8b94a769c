import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { deletePlan } from '../../operations/delete-plan.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

export const deletePlanHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['deletePlan'] =>
  async (request, context) => {
    await deletePlan(deps, request, context);
    return {};
  };
