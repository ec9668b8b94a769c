import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodePlan } from './encode.ts';

export const listPlansHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listPlans'] =>
  async (_, context) => ({ plans: (await deps.plans.list(context.deadline.timeoutMs())).map(encodePlan) });
