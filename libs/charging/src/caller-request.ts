import type { Deadline } from '@shopscope/async';
import type { Units } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { RequestBilling } from './request-billing.ts';

/** The payer of a request: the workspace of its key, whose allowance pays. */
export interface Payer {
  workspaceId: string;
  keyId: string;
  plan: { included: Units };
}

/** The request of a caller for data of its own workspace. */
export interface CallerRequest<Caller extends Payer = Payer> {
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
}

/** The request of a caller that may be billed. */
export interface BillableRequest<Caller extends Payer = Payer> extends CallerRequest<Caller> {
  billing: RequestBilling;
  operation: { id: string };
}

/** The charge of one execution under its id, before its units are known. */
export type NamedCharge<Caller extends Payer = Payer> = ReturnType<typeof chargeOf<Caller>> & {
  /** The id of the charge and of its scans. */
  chargeId: string;
  /** The hash of the content if another execution may have the same charge id (an Idempotency-Key), otherwise undefined. */
  fingerprint: Buffer | undefined;
  /** Whether the id names this charge after 24 hours, too: see ChargeRequest. */
  isPermanent?: boolean;
};

/** Returns the members of a charge that come from its request. */
export const chargeOf = <Caller extends Payer>(request: BillableRequest<Caller>) => {
  const { caller, origin, deadline, billing, operation } = request;
  return { caller, origin, deadline, billing, operation: operation.id };
};
