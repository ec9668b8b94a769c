import type { Deadline } from '@shopscope/async';
import type { Origin } from '@shopscope/telemetry';
import type { Caller } from '../keys/caller.ts';
import type { RequestBilling } from './request-billing.ts';

/** A caller's request for data of its own workspace. */
export interface CallerRequest {
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
}

/** A caller's request that may be billed. */
export interface BillableRequest extends CallerRequest {
  billing: RequestBilling;
  operation: { id: string };
}

/** The members of a charge that come from its request. */
export const chargeOf = ({ caller, origin, deadline, billing, operation }: BillableRequest) => ({
  caller,
  origin,
  deadline,
  billing,
  operation: operation.id,
});
