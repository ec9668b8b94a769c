import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getJob } from '../../operations/get-job.ts';
import { encodeJob } from './encode.ts';

export const getJobHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['getJob'] =>
  async (request, context) => ({ job: encodeJob(await getJob(deps, request, context)) });
