import { hostOf, maxDomainLength, registrableDomainOf } from '@shopscope/domain-name';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { type Address, parseAddress } from '../domain/address.ts';
import { maxRequestsPerLease, type PacingTarget, requestOf, requestsPerVisit } from '../domain/pacing.ts';
import type { Scan } from '../domain/scan.ts';
import { parseAddresses, takeTurn } from './admit-visits.ts';
import type { Dependencies } from './dependencies.ts';

/** A request that a scanner wants to send. */
export interface NextRequest {
  host: string;
  addresses: readonly string[];
}

export interface RequestTarget {
  /** The host in lower case and A-labels, without a trailing dot. */
  host: string;
  /** The registrable domain of the host, or the host itself if it has none. */
  domain: string;
  addresses: Address[];
}

/** `wait`: the scanner calls again after `waitMs`. */
export type RequestAdmission = { admission: 'admitted' | 'wait'; waitMs: number } | { admission: 'put_off' };

const maxAddresses = 8;
/** A host becomes part of field names in the database. Some hosts have underscores. */
const hostPattern = /^[\w.:[\]-]+$/;
/** The maximum time that a request waits for its slot. With a later slot the visit is put off. */
const maxWaitMs = 10_000;

export function requestTargetOf({ host: text, addresses }: NextRequest): RequestTarget {
  const host = hostOf(text);
  // The conversion to A-labels would cut the text at these characters.
  if (/[/?#@\\]/.test(text) || host.length > maxDomainLength || !hostPattern.test(host)) {
    throw invalidField('next_request.host', 'must be a host name');
  }
  if (addresses.length === 0 || addresses.length > maxAddresses) {
    throw invalidField('next_request.addresses', `must have 1 to ${maxAddresses} entries`);
  }
  const parsed = parseAddresses(addresses);
  if (parsed.length < addresses.length) throw invalidField('next_request.addresses', 'must be IP addresses');
  return { host, domain: (parseAddress(host) ? null : registrableDomainOf(host)) ?? host, addresses: parsed };
}

/**
 * Charges a request of a leased scan to its targets: its domain, which may be that of a redirect, and its addresses.
 *
 * - First request of the visit to a target -> the visit takes a turn there, unless it has had one. If there is no turn, or other scans wait
 *   for turns, the visit is put off and no request is charged. A scan whose earlier turn there expired does not wait behind others.
 * - A turn allows `requestsPerVisit` requests to its target in a lease. The next request takes a further turn, or the visit is put off.
 * - The lease has had its maximum of requests -> the visit is put off. return-work.ts bounds how often such a long visit is repeated.
 * - Then the request takes a slot at each target, one after the other, each at the time of the slot before. The addresses come last, so the
 *   request is sent at their slots. A slot is too late -> the visit is put off.
 * - A visit is put off -> FinishLease parks the scan for the target.
 * - A slot is taken and the request is not sent -> the slot stays unused.
 */
export async function admitRequest(
  deps: Dependencies,
  scan: Scan & { lease: { token: string } },
  { domain, addresses, targets }: RequestTarget & { targets: readonly PacingTarget[] },
  { deadline }: CallContext,
): Promise<RequestAdmission> {
  const { token } = scan.lease;
  if ((scan.requestCount ?? 0) > maxRequestsPerLease) {
    const longest = { turns: [], slots: [], putOffBy: null, isLongVisit: true, waitingAt: null };
    await deps.leases.setPacing(scan, token, longest, deadline.timeoutMs());
    return { admission: 'put_off' };
  }
  const hasHadTurn = ({ key }: PacingTarget) => scan.turns?.includes(key) === true;
  const missing = targets.filter(
    (target) => !hasHadTurn(target) || (scan.requestCounts?.get(target.key) ?? 0) > requestsPerVisit,
  );
  const full = await deps.parkedScans.targetsAmong(missing.map(({ key }) => key));
  const turns: string[] = [];
  let putOffBy: string | null = null;
  let isLongVisit = false;
  for (const target of missing) {
    const { key } = target;
    if ((full.has(key) && !scan.expiredTurns?.includes(key)) || !(await takeTurn(deps, target))) {
      putOffBy = key;
      isLongVisit = hasHadTurn(target);
      break;
    }
    turns.push(key);
  }
  const longestMs = Math.min(maxWaitMs, deps.policy.leaseMs / 2);
  const held = new Set(scan.slots);
  let waitMs = 0;
  for (const target of putOffBy === null ? targets : []) {
    if (held.has(target.key)) continue;
    // The scanner waits for the slot before this one, and then calls again.
    if (waitMs > 0) break;
    const reservation = requestOf(target, longestMs);
    const { key } = target;
    const slotWaitMs = await deps.pacingTargets.reserve(key, 'requests', reservation, deadline.timeoutMs());
    if (slotWaitMs === null) {
      putOffBy = key;
      break;
    }
    held.add(key);
    waitMs = Math.ceil(slotWaitMs);
  }
  const isComplete = putOffBy !== null || held.size === targets.length;
  const slots = isComplete ? [] : [...held];
  if (turns.length > 0 || putOffBy !== null || slots.length !== (scan.slots?.length ?? 0)) {
    const waitingAt = isComplete ? null : targets.map(({ key }) => key);
    await deps.leases.setPacing(scan, token, { turns, slots, putOffBy, isLongVisit, waitingAt }, deadline.timeoutMs());
  }
  if (turns.length > 0 && domain === scan.domain) {
    await deps.targets.setAddresses(domain, addresses.map(String), deadline.timeoutMs());
  }
  if (putOffBy !== null) return { admission: 'put_off' };
  deps.metrics.requestWait.observe(waitMs / 1_000);
  return { admission: isComplete ? 'admitted' : 'wait', waitMs };
}
