/** Carries out a charge: from a lease or a reservation to the durable usage event. */
export { type BalanceCache, createBalanceCache } from './balance-cache.ts';
export { type BillableRequest, type CallerRequest, chargeOf, type NamedCharge, type Payer } from './caller-request.ts';
export {
  AllowanceLentError,
  allowanceExhausted,
  bodyConflict,
  type ChargeAttempt,
  type ChargeRequest,
  noFingerprint,
} from './charge.ts';
export { type ChargeDependencies, type ChargeOutcome, type ChargeResult, chargeUnits } from './charge-units.ts';
export { createEventPublisher, type EventPublisher } from './event-publisher.ts';
export { type FindSettled, findSettled } from './find-settled.ts';
export { createLeaseUnits } from './lease-units.ts';
export { createMeteringClient, type LeaseCall, type MeteringClient } from './metering-client.ts';
export { OutcomeUnknownError, RequestBilling } from './request-billing.ts';
export {
  createRequestDeadline,
  remainingWorkMs,
  responseTimeoutMs,
  workTimeoutMs,
} from './request-deadline.ts';
export { requireUnits } from './require-units.ts';
export {
  contractUnitsOf,
  nonZeroContractUnitsOf,
  unitKeyOf,
} from './units.ts';
