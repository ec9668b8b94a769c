import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { changePlan } from '../../operations/change-plan.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodePlan } from './encode.ts';

export const updatePlanHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['updatePlan'] =>
  async (request, context) => {
    const { slug, actor, lookupCached, lookupLive, historyQuery, refreshRequested, ...limits } = request;
    const changes = { ...limits, included: { lookupCached, lookupLive, historyQuery, refreshRequested } };
    return { plan: encodePlan(await changePlan(deps, { slug, actor, changes }, context)) };
  };
