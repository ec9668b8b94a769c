import { type AnyTenant, inEnvironment } from '@shopscope/environment';
import { type CallContext, type Handlers, testTenantOf } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import { cancelJob, cancelTestJob } from '../../operations/cancel-job.ts';
import { claimScans } from '../../operations/claim-scans.ts';
import type { EveryEnvironment, JobsOfEveryEnvironment } from '../../operations/dependencies.ts';
import { getJob } from '../../operations/get-job.ts';
import { listJobs } from '../../operations/list-jobs.ts';
import { releaseClaims } from '../../operations/release-claims.ts';
import { requestScans, requestTestScans } from '../../operations/request-scans.ts';
import { resetTestScans } from '../../operations/reset-test-scans.ts';
import { decodeState, decodeUnit, encodeJob, encodeOutcome } from './encode.ts';

/** Only operators call without an environment: they mean live jobs. */
const tenantOf = ({ workspaceId }: { workspaceId: string }, { origin }: CallContext): AnyTenant => ({
  workspaceId,
  environment: origin.environment ?? 'live',
});

/** The RPCs of jobs. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const jobHandlers = (every: EveryEnvironment) => {
  const parts: JobsOfEveryEnvironment = every;
  return {
    claimScans: (request, context) =>
      inEnvironment(parts, tenantOf(request, context), async (deps) => {
        const claims = await claimScans(deps, { ...request, unit: decodeUnit(request.unit) }, context);
        return { claims: claims.map(({ outcome, ...claim }) => ({ ...claim, outcome: encodeOutcome(outcome) })) };
      }),
    releaseClaims: (request, context) =>
      inEnvironment(parts, tenantOf(request, context), async (deps) => {
        await releaseClaims(deps, request, context);
        return {};
      }),
    async requestScans({ requests }, context) {
      const { origin } = context;
      const [first] = requests;
      if (!first) return {};
      const decoded = requests.map((request) => ({ request: { ...request, unit: decodeUnit(request.unit) }, origin }));
      const { environment } = tenantOf(first, context);
      if (environment === 'live') await requestScans(every.live, decoded, context);
      else await requestTestScans(every.test, decoded, context);
      return {};
    },

    getJob: (request, context) =>
      inEnvironment(parts, tenantOf(request, context), async (deps) => ({
        job: encodeJob(await getJob(deps, request, context)),
      })),
    listJobs: ({ workspaceId, states, limit, after, jobIds }, context) =>
      inEnvironment(parts, tenantOf({ workspaceId }, context), async (deps) => {
        const position = after ? { createdAt: new Date(after.createdAtMs), jobId: after.jobId } : null;
        const page = { workspaceId, states: states.map(decodeState), limit, jobIds, after: position };
        const { jobs, hasMore } = await listJobs(deps, page, context);
        return { jobs: jobs.map(encodeJob), hasMore };
      }),
    async cancelJob(request, context) {
      const { environment } = tenantOf(request, context);
      const canceling =
        environment === 'live' ? cancelJob(every.live, request, context) : cancelTestJob(every.test, request, context);
      return { job: encodeJob(await canceling) };
    },

    async resetTestScans(request, context) {
      await resetTestScans(every.test, testTenantOf(request, context), context);
      return {};
    },
  } satisfies Partial<Handlers<typeof ScanSchedulerServiceService>>;
};
