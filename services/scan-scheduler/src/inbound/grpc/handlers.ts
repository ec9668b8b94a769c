import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { Admission, LeaseResult, QueueOutcome, type ScanSchedulerServiceService } from '@shopscope/proto';
import { restsUntil } from '../../domain/page-failures.ts';
import { cancelJob } from '../../operations/cancel-job.ts';
import { claimScans } from '../../operations/claim-scans.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { finishLease } from '../../operations/finish-lease.ts';
import { getJob } from '../../operations/get-job.ts';
import { getScanTarget } from '../../operations/get-scan-target.ts';
import type { LeaseWaitQueue } from '../../operations/lease-wait-queue.ts';
import { listJobs } from '../../operations/list-jobs.ts';
import { queueScans } from '../../operations/queue-scans.ts';
import { releaseClaims } from '../../operations/release-claims.ts';
import { renewLease } from '../../operations/renew-lease.ts';
import { requestScans } from '../../operations/request-scans.ts';
import { decodeState, decodeUnit, encodeJob, encodeLease, encodeOptOut, encodeOutcome } from './encode.ts';

const maxWaitMs = 20_000;
/** The maximum length of an instance id, which may be a host name. */
const maxIdChars = 253;
/** Time reserved for the response, so that a lease at the last moment arrives before the call's deadline. */
const responseMarginMs = 1_000;

const results = { [LeaseResult.OBSERVED]: 'observed', [LeaseResult.ABANDONED]: 'abandoned' } as const;
const admissions = {
  admitted: Admission.ADMITTED,
  wait: Admission.WAIT,
  put_off: Admission.PUT_OFF,
  opted_out: Admission.OPTED_OUT,
};
const queueOutcomes = {
  queued: QueueOutcome.QUEUED,
  live: QueueOutcome.LIVE,
  unwanted: QueueOutcome.VISITED,
  resting: QueueOutcome.RESTING,
};

/** Every RPC of the service. Each decodes the request, calls one operation, and encodes the result. */
export const scanSchedulerHandlers = (
  deps: Dependencies,
  leaseQueue: LeaseWaitQueue,
): Handlers<typeof ScanSchedulerServiceService> => ({
  async claimScans(request, context) {
    const claims = await claimScans(deps, { ...request, unit: decodeUnit(request.unit) }, context);
    return { claims: claims.map(({ outcome, ...claim }) => ({ ...claim, outcome: encodeOutcome(outcome) })) };
  },
  async releaseClaims(request, context) {
    await releaseClaims(deps, request, context);
    return {};
  },
  async requestScans({ requests }, context) {
    const { origin } = context;
    const decoded = requests.map((request) => ({ request: { ...request, unit: decodeUnit(request.unit) }, origin }));
    await requestScans(deps, decoded, context);
    return {};
  },

  getJob: async (request, context) => ({ job: encodeJob(await getJob(deps, request, context)) }),
  async listJobs({ workspaceId, states, limit, after, jobIds }, context) {
    const position = after ? { createdAt: new Date(after.createdAtMs), jobId: after.jobId } : null;
    const page = { workspaceId, states: states.map(decodeState), limit, jobIds, after: position };
    const { jobs, hasMore } = await listJobs(deps, page, context);
    return { jobs: jobs.map(encodeJob), hasMore };
  },
  cancelJob: async (request, context) => ({ job: encodeJob(await cancelJob(deps, request, context)) }),

  async getScanTarget(request, context) {
    const row = await getScanTarget(deps, request, context);
    if (!row) return { pageFailures: undefined };
    const { count, code, firstAt, lastAt } = row;
    const restsUntilMs = restsUntil(row)?.getTime();
    return { pageFailures: { count, code, firstAtMs: firstAt.getTime(), lastAtMs: lastAt.getTime(), restsUntilMs } };
  },
  async queueScans(request, context) {
    const queued = await queueScans(deps, request, context);
    return { outcomes: queued.map((outcome) => queueOutcomes[outcome]) };
  },

  async leaseScan(request, { deadline, abort }) {
    const { scannerId } = request;
    if (scannerId === '' || scannerId.length > maxIdChars) {
      throw invalidField('scanner_id', `must have 1 to ${maxIdChars} characters`);
    }
    const waitMs = Math.max(0, Math.min(request.waitMs, maxWaitMs, deadline.timeoutMs() - responseMarginMs));
    const startedMs = deps.clock.monotonicMs();
    const scan = await leaseQueue.wait(scannerId, waitMs, abort);
    const outcome = scan ? 'leased' : 'nothing';
    deps.metrics.leaseWait.observe({ outcome }, (deps.clock.monotonicMs() - startedMs) / 1000);
    return { lease: scan ? encodeLease(scan) : undefined };
  },
  async renewLease(request, context) {
    const renewal = await renewLease(deps, request, context);
    if (!renewal.held) return { held: false, expiresAtMs: 0, permit: '', admission: Admission.UNSPECIFIED, waitMs: 0 };
    const { held, expiresAtMs, permit, admission } = renewal;
    const waitMs = 'waitMs' in renewal ? renewal.waitMs : 0;
    return { held, expiresAtMs, permit, admission: admissions[admission], waitMs };
  },
  async finishLease(request, context) {
    const result = request.result in results ? results[request.result as keyof typeof results] : undefined;
    if (!result) throw invalidField('result', 'must be OBSERVED or ABANDONED');
    return { held: await finishLease(deps, { ...request, result }, context) };
  },

  async addOptOut(request, context) {
    const { optOut, created } = await deps.optOuts.add(request, context);
    return { optOut: encodeOptOut(optOut), created };
  },
  removeOptOut: async (request, context) => ({ optOut: encodeOptOut(await deps.optOuts.remove(request, context)) }),
  listOptOuts: async (request, context) => ({
    optOuts: (await deps.optOuts.list(request, context)).map(encodeOptOut),
  }),
  resetTestScans: () => Promise.reject(new Error('not served yet')),
});
