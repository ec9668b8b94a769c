import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import { cancelJob } from '../../operations/cancel-job.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeJob } from './encode.ts';

export const cancelJobHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['cancelJob'] =>
  async (request, context) => ({ job: encodeJob(await cancelJob(deps, request, context)) });
