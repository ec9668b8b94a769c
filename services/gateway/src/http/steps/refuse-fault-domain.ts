import { allowanceExhausted, unitKeyOf } from '@shopscope/charging';
import { type Clock, periodAt } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import { unitsOf } from '@shopscope/proto';
import { type RequestFault, requestFaultOf } from '@shopscope/test-tenant';
import type { LookUpInput, Operation } from '../../contract/operation.ts';
import type { BillingUnit } from '../../endpoints/account/contract.ts';
import type { Caller } from '../../keys/caller.ts';
import { rateLimited } from './admit.ts';

export interface FaultOptions {
  clock: Pick<Clock, 'now'>;
}

/**
 * Throws the error for which a domain of the request stands, if the key is one of the test tenant. It is the same error, with the same
 * headers, that a caller gets when the cause is real. Nothing has happened and nothing is billed.
 */
export function refuseFaultDomain(
  options: FaultOptions,
  {
    operation,
    caller,
    ...input
  }: {
    operation: Pick<Operation, 'billing' | 'lookedUp'>;
    caller?: Caller | undefined;
    params: unknown;
    body: unknown;
  },
): void {
  if (caller?.keyEnvironment !== 'test' || !operation.lookedUp) return;
  const unit = operation.billing.units[0] ?? 'lookup_cached';
  refuseFaultAmong(options, { unit, caller }, operation.lookedUp(input as LookUpInput));
}

interface FaultyRequest {
  /** The unit that the domains bill. */
  unit: BillingUnit;
  caller: Caller;
}

/** The same for an operation whose domains its handler finds. */
export function refuseFaultAmong(options: FaultOptions, request: FaultyRequest, inputs: readonly string[]): void {
  if (request.caller.keyEnvironment !== 'test') return;
  for (const input of inputs) {
    const canonical = canonicalizeDomain(input);
    const fault = canonical.ok ? requestFaultOf(canonical.value.domain) : undefined;
    if (fault) throw faults[fault](request, options);
  }
}

/** Logs and metrics count the error as one of the caller, who asked for it. */
const wanted = { fault: 'caller' } as const;

const faults: Record<RequestFault, (request: FaultyRequest, options: FaultOptions) => AppError> = {
  rate_limited: ({ caller }) => rateLimited(caller, 1),
  payment_required({ unit, caller }, { clock }) {
    const key = unitKeyOf(unit) ?? 'lookupCached';
    const { startMs: periodStartMs, endMs: periodEndMs } = periodAt(clock.now());
    const { included } = caller.plan;
    const balance = { periodStartMs, periodEndMs, taken: included, used: undefined, reserved: undefined };
    return allowanceExhausted({ exhaustedUnit: unit, balance }, { units: unitsOf({ [key]: 1 }), caller });
  },
  unavailable: () =>
    new AppError('unavailable', 'The service is not available; retry shortly.', {
      ...wanted,
      details: { retry_after: 1 },
    }),
  internal: () => new AppError('internal', 'The service could not answer; retry in a few seconds.', wanted),
};
