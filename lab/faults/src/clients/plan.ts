import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';
import { type Customer, type Customers, scarceOf } from './customers.ts';
import { noUnits, type Operation, type OperationKind } from './history.ts';
import type { Call } from './send.ts';

/** A plan chooses its call from these. */
export interface PlanOptions {
  system: FaultSystem;
  customers: Customers;
  /** The domains that have a profile. */
  known: readonly string[];
  /** The known domains that have signals. */
  withSignals: readonly string[];
  /** The domains of which scans are requested. */
  scannable: readonly string[];
}

/** An operation before it is sent. */
export interface Plan {
  operation: Omit<Operation, 'id' | 'attempts'>;
  call: Pick<Call, 'method' | 'path' | 'secret' | 'body'>;
  gateway: number;
  /** Whether the request is sent twice at the same time. */
  isSentTwice: boolean;
  /** The time after the response at which the request is repeated, as by a client that has lost the response. Null if it is not repeated. */
  repeatAfterMs: number | null;
  /** The time after the response at which its first job is canceled. Null if it is not canceled. */
  cancelAfterMs: number | null;
  timeoutMs?: number;
  /** Whether the request is sent to this gateway over a new connection, even if the gateway is not ready. */
  isPinned?: boolean;
}

const sentTwiceShare = 0.15;
const repeatShare = 0.3;
const burstSize = 20;
const scarceBurstSize = 6;
const scarceShare = 0.5;
const keyedShare = 0.25;
const cancelShare = 0.5;
/** This share of the cancellations follows the response at once. Most of these arrive before a scanner has leased the scan. */
const cancelAtOnceShare = 0.5;
const oneRefresh = { lookupCached: 0, lookupLive: 0, refreshRequested: 1 };
const oneQuery = { ...noUnits, historyQuery: 1 };
const oneLookUp = { lookupCached: 1, lookupLive: 0 };

/** The operations of the mix: the kind, the share in percent, and the customer, the call and the units that it may bill. */
const mix: readonly [OperationKind, number, (options: PlanOptions, random: Random) => Parameters<Planner>][] = [
  ['look-up', 27, (options, random) => [options.customers.main, lookUp(options, random), oneLookUp]],
  ['history', 5, (options, random) => [options.customers.main, history(options, random), oneQuery]],
  ['search', 2, ({ customers }) => [customers.main, search, oneQuery]],
  ['enrich', 20, ({ customers, known }, random) => [customers.main, enrich(pickSome(random, known, 6), false)]],
  ['refresh', 6, ({ customers, scannable }, random) => [customers.main, enrich(pickSome(random, scannable, 3), true)]],
  ['scan', 4, ({ customers, scannable }, random) => [customers.main, scan(random.pick(scannable)), oneRefresh]],
  ['account', 5, ({ customers }) => [customers.main, account]],
  ['small-allowance', 12, (options, random) => [options.customers.smallAllowance, lookUp(options, random), oneLookUp]],
  ['rate-limited', 14, ({ customers }) => [customers.rateLimited, account]],
  ['revoked', 5, ({ customers }) => [customers.revoked, account]],
];

export function planOf(options: PlanOptions, random: Random): Plan {
  let rest = random.between(1, 100);
  const isChosen = ([, share]: (typeof mix)[number]) => {
    rest -= share;
    return rest <= 0;
  };
  const [kind, , callOf] = mix.find(isChosen) as (typeof mix)[number];
  const plan = planner(options, random, kind);
  return plan(...callOf(options, random));
}

/** Plans a request of the rate-limited customer. These requests exceed its limit, so that the limit refuses some. */
export const rateLimitedPlanOf = (options: PlanOptions, random: Random): Plan =>
  planner(options, random, 'rate-limited')(options.customers.rateLimited, account);

/** Plans a request with the revoked key. */
export const queuedPlanOf = (options: PlanOptions, random: Random): Plan =>
  planner(options, random, 'queued')(options.customers.revoked, account);

/**
 * Plans a request of the crowd. Half of these requests are sent by the few workspaces with small allowances. Each request bills one look-up,
 * which a lease pays for, or a reservation if the request has an Idempotency-Key.
 */
export function crowdPlanOf(options: PlanOptions, random: Random): Plan {
  const { crowd } = options.customers;
  const scarce = scarceOf(options.customers);
  const isScarce = random.chance(scarceShare);
  const customer = random.pick(isScarce ? scarce : crowd.filter((one) => !scarce.includes(one)));
  const plan = planner(options, random, isScarce ? 'scarce' : 'crowd');
  return random.chance(keyedShare)
    ? plan(customer, enrich([random.pick(options.known)], false))
    : plan(customer, lookUp(options, random), oneLookUp);
}

/** Plans simultaneous look-ups of the customer `smallAllowance` and of two workspaces of the crowd, spread over all gateways. */
export function burstOf(options: PlanOptions, random: Random): Plan[] {
  const { smallAllowance } = options.customers;
  const scarce = scarceOf(options.customers);
  const burst = (kind: OperationKind, customer: Customer, size: number) =>
    Array.from({ length: size }, (_, n) => ({
      ...planner(options, random, kind)(customer, lookUp(options, random), oneLookUp),
      gateway: n % options.system.gateways.length,
    }));
  return [
    ...burst('small-allowance', smallAllowance, burstSize),
    ...[1, 2].flatMap(() => burst('scarce', random.pick(scarce), scarceBurstSize)),
  ];
}

/** Plans a look-up without an Idempotency-Key. */
export const lookUpPlanOf = (
  options: PlanOptions,
  random: Random,
  { kind, customer }: { kind: OperationKind; customer: Customer },
): Plan => planner(options, random, kind)(customer, lookUp(options, random), oneLookUp);

type Planner = ReturnType<typeof planner>;

function planner(options: PlanOptions, random: Random, kind: OperationKind) {
  const gateway = random.between(0, options.system.gateways.length - 1);
  return (customer: Customer, call: Omit<Plan['call'], 'secret'>, mayBill = noUnits): Plan => {
    const key = random.pick(customer.keys);
    const isKeyed = call.method === 'POST';
    return {
      operation: {
        kind,
        workspaceId: customer.workspaceId,
        keyId: key.id,
        idempotencyKey: isKeyed ? `faults-${random.between(0, 2 ** 31)}-${random.between(0, 2 ** 31)}` : null,
        mayBill,
      },
      call: { ...call, secret: key.secret },
      gateway,
      isSentTwice: isKeyed && random.chance(sentTwiceShare),
      repeatAfterMs: isKeyed && random.chance(repeatShare) ? random.between(100, 6_000) : null,
      cancelAfterMs: asksForScans(kind) && random.chance(cancelShare) ? cancelDelayMs(random) : null,
    };
  };
}

const cancelDelayMs = (random: Random) => (random.chance(cancelAtOnceShare) ? 0 : random.between(0, 3_000));

const asksForScans = (kind: OperationKind) => kind === 'refresh' || kind === 'scan';

/** Plans the cancellation of a job with the key of the request that returned the job. */
export function cancelPlanOf({ operation, call, gateway }: Plan, jobId: string): Plan {
  const { workspaceId, keyId } = operation;
  const idempotencyKey = `cancel-${operation.idempotencyKey}`;
  return {
    operation: { kind: 'cancel', workspaceId, keyId, idempotencyKey, mayBill: noUnits },
    call: { method: 'POST', path: `/v1/jobs/${jobId}/cancel`, secret: call.secret },
    gateway,
    isSentTwice: false,
    repeatAfterMs: null,
    cancelAfterMs: null,
  };
}

const scan = (domain: string) => ({ method: 'POST', path: `/v1/stores/${domain}/scans` }) as const;

/** Half of these requests are of stores with signals. Most others are of stores without signals, whose pages are empty and free. */
const history = ({ known, withSignals }: PlanOptions, random: Random) =>
  ({
    method: 'GET',
    path: `/v1/stores/${random.pick(random.chance(0.5) ? withSignals : known)}/history?limit=3`,
  }) as const;

const search = { method: 'GET', path: '/v1/signals?limit=5' } as const;

const account = { method: 'GET', path: '/v1/account' } as const;

const lookUp = (options: PlanOptions, random: Random) =>
  ({ method: 'GET', path: `/v1/stores/${random.pick(options.known)}` }) as const;

const enrich = (domains: string[], refresh: boolean) =>
  ({ method: 'POST', path: '/v1/stores/enrich', body: { domains, refresh } }) as const;

function pickSome(random: Random, from: readonly string[], most: number): string[] {
  return Array.from({ length: random.between(1, most) }, () => random.pick(from));
}
