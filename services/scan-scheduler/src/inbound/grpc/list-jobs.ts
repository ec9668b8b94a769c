import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listJobs } from '../../operations/list-jobs.ts';
import { decodeState, encodeJob } from './encode.ts';

export const listJobsHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['listJobs'] =>
  async ({ workspaceId, states, limit, after }, context) => {
    const position = after ? { createdAt: new Date(after.createdAtMs), jobId: after.jobId } : null;
    const page = { workspaceId, states: states.map(decodeState), limit, after: position };
    const { jobs, hasMore } = await listJobs(deps, page, context);
    return { jobs: jobs.map(encodeJob), hasMore };
  };
