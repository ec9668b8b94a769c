import type { Handlers } from '@shopscope/grpc';
import { QueueOutcome, type ScanSchedulerServiceService } from '@shopscope/proto';
import { restsUntil } from '../../domain/page-failures.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { getScanTarget } from '../../operations/get-scan-target.ts';
import type { LeaseWaitQueue } from '../../operations/lease-wait-queue.ts';
import { queueScans } from '../../operations/queue-scans.ts';
import { encodeOptOut } from './encode.ts';
import { jobHandlers } from './job-handlers.ts';
import { leaseHandlers } from './lease-handlers.ts';

const queueOutcomes = {
  queued: QueueOutcome.QUEUED,
  live: QueueOutcome.LIVE,
  unwanted: QueueOutcome.VISITED,
  resting: QueueOutcome.RESTING,
};

/** Every RPC of the service. Each decodes the request, calls one operation, and encodes the result. */
export const scanSchedulerHandlers = (
  every: EveryEnvironment,
  leaseQueue: LeaseWaitQueue,
): Handlers<typeof ScanSchedulerServiceService> => ({
  ...jobHandlers(every),
  ...leaseHandlers(every.live, leaseQueue),

  async getScanTarget(request, context) {
    const row = await getScanTarget(every.live, request, context);
    if (!row) return { pageFailures: undefined };
    const { count, code, firstAt, lastAt } = row;
    const restsUntilMs = restsUntil(row)?.getTime();
    return { pageFailures: { count, code, firstAtMs: firstAt.getTime(), lastAtMs: lastAt.getTime(), restsUntilMs } };
  },
  async queueScans(request, context) {
    const queued = await queueScans(every.live, request, context);
    return { outcomes: queued.map((outcome) => queueOutcomes[outcome]) };
  },

  async addOptOut(request, context) {
    const { optOut, created } = await every.live.optOuts.add(request, context);
    return { optOut: encodeOptOut(optOut), created };
  },
  removeOptOut: async (request, context) => ({
    optOut: encodeOptOut(await every.live.optOuts.remove(request, context)),
  }),
  listOptOuts: async (request, context) => ({
    optOuts: (await every.live.optOuts.list(request, context)).map(encodeOptOut),
  }),
});
