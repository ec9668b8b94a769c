import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { createPlan } from '../../operations/create-plan.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { decodePlan, encodePlan } from './encode.ts';

export const createPlanHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['createPlan'] =>
  async ({ plan, actor }, context) => ({
    plan: encodePlan(await createPlan(deps, { plan: decodePlan(plan), actor }, context)),
  });
