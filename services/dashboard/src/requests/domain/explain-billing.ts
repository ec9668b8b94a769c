import { type UnitCounts, type UnitName, unitNames } from '../../usage/domain.ts';

/** Explains in sentences what a request billed, or why it billed nothing. */
export interface BilledRequest {
  operation: string;
  method: string;
  status: number;
  units: UnitCounts;
  replayed: boolean;
  billedBefore: boolean;
}

const words: Readonly<Record<UnitName, readonly [one: string, many: string]>> = {
  lookup_cached: ['cached look-up', 'cached look-ups'],
  lookup_live: ['live look-up', 'live look-ups'],
  history_query: ['history query', 'history queries'],
  refresh_requested: ['requested refresh', 'requested refreshes'],
};

/** For example "3 cached look-ups and 1 live look-up"; empty if nothing was billed. */
export function unitsInWords(units: UnitCounts): string {
  const parts = unitNames
    .filter((unit) => units[unit] > 0)
    .map((unit) => `${units[unit].toLocaleString('en')} ${words[unit][units[unit] === 1 ? 0 : 1]}`);
  return new Intl.ListFormat('en').format(parts);
}

/** The contract's data about the billing of an operation. `units` is empty if the operation is free. */
export interface OperationBilling {
  units: readonly string[];
  billing: string;
}

const unknown: OperationBilling = { units: ['unknown'], billing: 'See the billing rules of this operation' };

/** `operation` is undefined if it is not in the contract. */
export function explainBilling(request: BilledRequest, operation: OperationBilling = unknown) {
  const amount = unitsInWords(request.units);
  if (amount === '') return { billed: 'Nothing', why: whyNothing(request, operation) };
  if (request.status === 0 || request.status === 499) {
    return {
      billed: `At most ${amount}`,
      why: 'No response was sent, so the amount is not certain here. The usage page has the exact amount.',
    };
  }
  return { billed: amount, why: whyBilled(request, operation) };
}

/** The log has no jobs, so it cannot say which of them were canceled. */
const refund = 'If a job was canceled while it was queued, its unit came back. The usage page counts that.';

function whyBilled({ operation, units }: BilledRequest, { billing }: OperationBilling): string {
  if (operation === 'getStore') return 'The store is known: one cached look-up.';
  if (operation === 'requestScan') return `A scan was queued: one requested refresh. ${refund}`;
  if (operation !== 'enrichStores') return `${billing}.`;
  return units.lookup_live > 0
    ? `One cached look-up for each known store, and one live look-up for each scan that was queued. ${refund}`
    : 'One cached look-up for each known store.';
}

function whyNothing(
  { operation, method, status, replayed, billedBefore }: BilledRequest,
  { units, billing }: OperationBilling,
): string {
  if (replayed)
    return 'The response of an earlier request with the same Idempotency-Key was sent again. What it billed was billed then.';
  if (billedBefore) return 'An earlier request with the same Idempotency-Key was billed.';
  if (units.length === 0) return 'This operation is free.';
  if (method === 'HEAD') return 'HEAD requests are free.';
  if (status === 0 || status === 499) return 'The request ended before anything was billed.';
  if (status >= 400) return 'Responses with an error are never billed.';
  if (status === 304) return 'The store has not changed since the response that the caller has.';
  if (operation === 'enrichStores') return 'No domain belongs to a known store, and no scan was queued.';
  if (operation === 'requestScan')
    return 'The workspace had a scan of this domain in flight, so the request joined it.';
  return `${billing}.`;
}

/** Whether a repeated request may be billed. A request that was free, for example with a 304 or 429, may be billed when repeated. */
export const canBill = ({ method }: Pick<BilledRequest, 'method'>, operation: OperationBilling = unknown): boolean =>
  operation.units.length > 0 && method !== 'HEAD';
