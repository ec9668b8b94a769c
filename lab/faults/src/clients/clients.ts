import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';
import { poll, sleep } from '../wait.ts';
import { type LimitedCustomer, scarceOf } from './customers.ts';
import type { Attempt, Operation } from './history.ts';
import {
  burstOf,
  cancelPlanOf,
  crowdPlanOf,
  lookUpPlanOf,
  type Plan,
  type PlanOptions,
  planOf,
  queuedPlanOf,
  rateLimitedPlanOf,
} from './plan.ts';
import { send } from './send.ts';

export type Clients = ReturnType<typeof startClients>;

export interface ClientOptions extends PlanOptions {
  random: Random;
  /** Mean rate of operations. */
  perSecond: number;
}

/** Longer than any response may take. */
const callTimeoutMs = 12_000;
const retryPauseMs = 500;
const retryForMs = 90_000;
const readyEveryMs = 100;
/** Rate of the rate-limited customer's own requests, in addition to the mix. */
const steadyPerSecond = 2.5;
/** Leases of processes that died return within 90 s. */
const sellOutMs = 120_000;
const sellOutPauseMs = 500;

/**
 * Open-loop clients: each request starts at its planned time, whether or not earlier requests have ended. Requests go to
 * ready gateways, as behind a load balancer.
 *
 * A request under an Idempotency-Key that got no response is sent again under the same key, to the other gateway, until it
 * gets one. Some requests that got a response are repeated too, at once or later.
 */
export function startClients(options: ClientOptions) {
  const { system, random, perSecond } = options;
  const history: Operation[] = [];
  const running = new Set<Promise<Operation>>();
  const ready = watchReadiness(system);
  let stopped = false;
  const stopping = Promise.withResolvers<void>();
  const arrivals = random.fork('arrivals');
  const choices = random.fork('choices');

  const run = async (plan: Plan) => {
    const operation: Operation = { ...plan.operation, id: history.length + 1, attempts: [] };
    history.push(operation);
    const attempt = async (notAt?: number): Promise<Attempt> => {
      const { isPinned = false } = plan;
      const gateway = isPinned ? plan.gateway : ready.choose(plan.gateway, notAt);
      const { url } = system.gateways[gateway] as { url: string };
      const timeoutMs = plan.timeoutMs ?? callTimeoutMs;
      const { idempotencyKey } = operation;
      // A resumed gateway first closes connections that its clock regards as idle.
      const made = await send({ ...plan.call, gateway, url, idempotencyKey, timeoutMs, onNewConnection: isPinned });
      operation.attempts.push(made);
      return made;
    };
    const first = await Promise.all([attempt(), ...(plan.twin ? [attempt()] : [])]);
    if (!operation.idempotencyKey) return operation;
    const endMs = performance.now() + retryForMs;
    let latest = first[0] as Attempt;
    while (needsRetry(operation) && performance.now() < endMs) {
      await sleep(retryPauseMs);
      latest = await attempt(latest.gateway);
    }
    const [job] = latest.jobs;
    if (plan.cancelAfterMs !== null && job) {
      await Promise.race([sleep(plan.cancelAfterMs), stopping.promise]);
      await begin(cancelPlanOf(plan, job.id));
    }
    if (plan.repeatAfterMs !== null && latest.outcome === 'ok') {
      await Promise.race([sleep(plan.repeatAfterMs), stopping.promise]);
      await attempt();
    }
    return operation;
  };

  const begin = (plan: Plan) => {
    const done = run(plan).finally(() => running.delete(done));
    running.add(done);
    return done;
  };
  const arrive = async (next: () => number, rate: number, plan: () => Plan) => {
    let nextMs = performance.now();
    while (!stopped) {
      nextMs += (-Math.log(1 - next()) * 1_000) / rate;
      await sleep(nextMs - performance.now());
      if (!stopped) void begin(plan());
    }
  };
  const steady = random.fork('steady');
  const crowd = random.fork('crowd');
  const loops = [
    arrive(arrivals.next, perSecond, () => planOf(options, choices)),
    arrive(random.fork('steady arrivals').next, steadyPerSecond, () => rateLimitedPlanOf(options, steady)),
    arrive(random.fork('crowd arrivals').next, perSecond, () => crowdPlanOf(options, crowd)),
  ];

  const bursts = random.fork('bursts');
  const { smallAllowance } = options.customers;
  const lookUpOf = (customer: LimitedCustomer) =>
    lookUpPlanOf(options, bursts, { kind: customer === smallAllowance ? 'small-allowance' : 'scarce', customer });
  const exhaust = async (customer: LimitedCustomer): Promise<boolean> => {
    const endMs = performance.now() + sellOutMs;
    while (performance.now() < endMs) {
      const made = await begin(lookUpOf(customer));
      const last = made.attempts.at(-1);
      if (last?.status === 402) return true;
      if (last?.outcome !== 'ok') await sleep(last?.retryAfterS ? last.retryAfterS * 1_000 : sellOutPauseMs);
    }
    return false;
  };
  const end = async () => {
    stopped = true;
    stopping.resolve();
    await Promise.all(loops);
    await Promise.all([...running]);
  };
  let ended: Promise<void> | undefined;

  /** Sends it to one gateway, ready or not. Resolves when it has a response or timed out. */
  const pinned = (plan: Plan, gateway: number, timeoutMs: number) =>
    begin({ ...plan, gateway, timeoutMs, isPinned: true });

  return {
    history,
    /** Simultaneous look-ups of customers with small allowances. Resolves when all have a response or timed out. */
    async burst(): Promise<void> {
      await Promise.all(burstOf(options, bursts).map(begin));
    },
    /**
     * Look-ups of every customer with a small allowance, one after the other, until each has got 402. Those that get 503 are repeated
     * after the time of Retry-After. Resolves to false when that took too long.
     */
    async sellOut(): Promise<boolean> {
      const sold = await Promise.all([smallAllowance, ...scarceOf(options.customers)].map(exhaust));
      return sold.every(Boolean);
    },
    /** Sends look-ups of these customers to one gateway. */
    async lookUpAt(gateway: number, customers: readonly LimitedCustomer[], timeoutMs = callTimeoutMs): Promise<void> {
      await Promise.all(customers.map((customer) => pinned(lookUpOf(customer), gateway, timeoutMs)));
    },
    /** Sends a request under the revoked key to one gateway. */
    askRevokedAt: (gateway: number, timeoutMs: number) => pinned(queuedPlanOf(options, bursts), gateway, timeoutMs),
    /** Starts no further operations, and sends delayed repeats at once. Resolves when every retry has a response or timed out. */
    stop(): Promise<void> {
      ended ??= end();
      return ended;
    },
    /** Ends the watch of the gateways' readiness. */
    close: ready.stop,
  };
}

/** True when the operation has no response yet, or its latest connection was refused. A response to a first attempt is final. */
function needsRetry({ attempts }: Operation): boolean {
  if (attempts.some(({ outcome }) => outcome === 'ok')) return false;
  const isOpen = attempts.some(({ outcome }) => outcome === 'unknown');
  const last = attempts.at(-1);
  if (last?.outcome === 'refused') return true;
  return isOpen && !(last?.outcome === 'fail' && last.status < 500);
}

function watchReadiness(system: FaultSystem) {
  const isReady = system.gateways.map(() => true);
  let stopped = false;
  for (const [n, { adminUrl }] of system.gateways.entries()) {
    void poll(
      async () => {
        const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(
          () => undefined,
        );
        isReady[n] = response?.status === 200;
        return stopped || undefined;
      },
      { timeoutMs: Number.POSITIVE_INFINITY, everyMs: readyEveryMs },
    );
  }
  return {
    /** The wanted gateway when it is ready, else another ready one, else the wanted one. */
    choose(wanted: number, notAt?: number): number {
      const preferred = notAt === undefined ? wanted : (notAt + 1) % isReady.length;
      if (isReady[preferred]) return preferred;
      const other = isReady.findIndex((ready, n) => ready && n !== notAt);
      return other >= 0 ? other : preferred;
    },
    stop: () => {
      stopped = true;
    },
  };
}
