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
  /** The mean rate of operations. */
  perSecond: number;
}

/** This is longer than any response may take. */
const callTimeoutMs = 12_000;
const retryPauseMs = 500;
const retryForMs = 90_000;
const readyEveryMs = 100;
/** The rate of the requests that the rate-limited customer sends in addition to the mix. */
const steadyPerSecond = 2.5;
/** The units of processes that died return within 90 s, and are then sold. */
const sellOutMs = 120_000;
const sellOutPauseMs = 500;

/**
 * Starts open-loop clients: each request starts at its planned time, whether or not earlier requests have ended. Requests go to ready
 * gateways, as from a load balancer.
 *
 * A request with an Idempotency-Key that got no response is sent again with the same key to the other gateway, until it gets one. Some
 * requests that got a response are sent again too, and some are sent twice at the same time.
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
      // A resumed gateway first closes connections that are idle by its clock, so this request gets a new connection.
      const made = await send({ ...plan.call, gateway, url, idempotencyKey, timeoutMs, onNewConnection: isPinned });
      operation.attempts.push(made);
      return made;
    };
    const first = await Promise.all([attempt(), ...(plan.isSentTwice ? [attempt()] : [])]);
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

  /** Sends the operation to one gateway, even if that is not ready. Resolves when it has a response or has timed out. */
  const pinned = (plan: Plan, gateway: number, timeoutMs: number) =>
    begin({ ...plan, gateway, timeoutMs, isPinned: true });

  return {
    history,
    /** Sends simultaneous look-ups of customers with small allowances. Resolves when all have a response or have timed out. */
    async burst(): Promise<void> {
      await Promise.all(burstOf(options, bursts).map(begin));
    },
    /**
     * Sends look-ups of every customer with a small allowance, one after the other, until each customer has got 402. After a 503 it waits for
     * the time of Retry-After. Resolves to false if this takes too long.
     */
    async sellOut(): Promise<boolean> {
      const sold = await Promise.all([smallAllowance, ...scarceOf(options.customers)].map(exhaust));
      return sold.every(Boolean);
    },
    /** Sends look-ups of these customers to one gateway. */
    async lookUpAt(gateway: number, customers: readonly LimitedCustomer[], timeoutMs = callTimeoutMs): Promise<void> {
      await Promise.all(customers.map((customer) => pinned(lookUpOf(customer), gateway, timeoutMs)));
    },
    /** Sends a request with the revoked key to one gateway. */
    askRevokedAt: (gateway: number, timeoutMs: number) => pinned(queuedPlanOf(options, bursts), gateway, timeoutMs),
    /** Starts no further operations, and sends delayed repetitions at once. Resolves when every retry has a response or has timed out. */
    stop(): Promise<void> {
      ended ??= end();
      return ended;
    },
    /** Stops to watch the readiness of the gateways. */
    close: ready.stop,
  };
}

/** Whether the operation is sent again: no attempt succeeded, and an attempt got no response or the latest connection was refused. */
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
    /** Returns the wanted gateway if it is ready, otherwise another ready one, and otherwise the wanted one. `notAt` excludes a gateway. */
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
