import { createDeadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { Received, Subscription } from '@shopscope/kafka';
import { type RefundRequested, refundRequested, ScanUnit } from '@shopscope/proto';
import type { Refund } from '../../domain/refund.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { inCurrentGeneration } from '../../operations/generations.ts';
import { recordRefunds } from '../../operations/settle-refunds.ts';
import { identifier } from '../decode.ts';
import { requireEnvironment } from './require-environment.ts';

/** Refunds and deletions of workspaces have their own consumer group, so that usage is counted even if they fail. */
export const refundGroup = 'metering-refunds';

const timeoutMs = 20_000;

/** Consumes refund-requests.v1 of one environment. The offset is committed after the refunds are stored. */
export const refundRequestedSubscription = (deps: Dependencies): Subscription<RefundRequested> => ({
  type: refundRequested[deps.environment],
  async handle(received) {
    const deadline = createDeadline(timeoutMs, { clock: deps.clock });
    const refunds = received.map((each) => {
      requireEnvironment(deps, each);
      return decode(each);
    });
    await recordRefunds(deps, await inCurrentGeneration(deps, refunds, deadline), deadline);
  },
});

const units = new Map([
  [ScanUnit.LOOKUP_LIVE, 'lookupLive'],
  [ScanUnit.REFRESH_REQUESTED, 'refreshRequested'],
] as const);

function decode({ event }: Received<RefundRequested>): Refund {
  const unit = units.get(event.unit as ScanUnit.LOOKUP_LIVE | ScanUnit.REFRESH_REQUESTED);
  if (!unit) throw invalidField('unit', `${event.unit} is unknown`);
  return {
    jobId: identifier('job_id', event.jobId),
    workspaceId: identifier('workspace_id', event.workspaceId),
    chargeId: identifier('charge_id', event.chargeId),
    unit,
    jobCreatedAtMs: event.jobCreatedAtMs,
    canceledAtMs: event.canceledAtMs,
  };
}
