import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { putPlan } from '../../operations/put-plan.ts';
import { decodePlan, encodePlan } from './encode.ts';

export const putPlanHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['putPlan'] =>
  async ({ plan, actor }, context) => ({
    plan: encodePlan(await putPlan(deps, { plan: decodePlan(plan), actor }, context)),
  });
