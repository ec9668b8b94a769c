import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import { restsUntil } from '../../domain/other-answers.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getScanTarget } from '../../operations/get-scan-target.ts';

export const getScanTargetHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['getScanTarget'] =>
  async (request, context) => {
    const row = await getScanTarget(deps, request, context);
    if (!row) return { otherAnswers: undefined };
    const { count, code, firstAt, lastAt } = row;
    return {
      otherAnswers: {
        count,
        code,
        firstAtMs: firstAt.getTime(),
        lastAtMs: lastAt.getTime(),
        restsUntilMs: restsUntil(row)?.getTime(),
      },
    };
  };
