import type { Handlers } from '@shopscope/grpc';
import { QueueOutcome, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import type { BackgroundOutcome } from '../../operations/queue-background-scans.ts';
import { queueScans } from '../../operations/queue-scans.ts';

const outcomes: Record<BackgroundOutcome, QueueOutcome> = {
  queued: QueueOutcome.QUEUED,
  live: QueueOutcome.LIVE,
  unwanted: QueueOutcome.VISITED,
  resting: QueueOutcome.RESTING,
};

export const queueScansHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['queueScans'] =>
  async (request, context) => {
    const queued = await queueScans(deps, request, context);
    return { outcomes: queued.map((outcome) => outcomes[outcome]) };
  };
