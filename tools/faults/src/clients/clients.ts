import { exhaustedTimes } from '../checker/allowance.ts';
import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';
import { poll, sleep } from '../wait.ts';
import type { Attempt, Operation } from './history.ts';
import { burstOf, type Plan, type PlanOptions, planOf, rateLimitedPlanOf } from './plan.ts';
import { send } from './send.ts';

/**
 * Open-loop clients: each request starts at its planned time, whether or not earlier requests have ended. Requests go to
 * ready gateways, as behind a load balancer.
 *
 * A request under an Idempotency-Key that got no response is sent again under the same key, to the other gateway, until it
 * gets one. Some requests that got a response are repeated too, at once or later.
 */
export interface Clients {
  history: Operation[];
  /** Simultaneous look-ups of the customer with the small allowance. Resolves when all have a response or timed out. */
  burst(): Promise<void>;
  /**
   * Starts no further operations, and sends delayed repeats at once. Resolves when the small allowance is exhausted and every
   * retry has a response or timed out.
   */
  stop(): Promise<void>;
}

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
/** More bursts than the small allowance can serve, failed requests included. */
const exhaustingBursts = 8;

export function startClients(options: ClientOptions): Clients {
  const { system, random, perSecond } = options;
  const history: Operation[] = [];
  const running = new Set<Promise<void>>();
  const ready = watchReadiness(system);
  let stopped = false;
  const stopping = Promise.withResolvers<void>();
  const arrivals = random.fork('arrivals');
  const choices = random.fork('choices');

  const run = async (plan: Plan) => {
    const operation: Operation = { ...plan.operation, id: history.length + 1, attempts: [] };
    history.push(operation);
    const attempt = async (notAt?: number): Promise<Attempt> => {
      const gateway = ready.choose(plan.gateway, notAt);
      const { url } = system.gateways[gateway] as { url: string };
      const timeoutMs = plan.timeoutMs ?? callTimeoutMs;
      const made = await send({ ...plan.call, gateway, url, idempotencyKey: operation.idempotencyKey, timeoutMs });
      operation.attempts.push(made);
      return made;
    };
    const first = await Promise.all([attempt(), ...(plan.twin ? [attempt()] : [])]);
    if (!operation.idempotencyKey) return;
    const endMs = performance.now() + retryForMs;
    let latest = first[0] as Attempt;
    while (needsRetry(operation) && performance.now() < endMs) {
      await sleep(retryPauseMs);
      latest = await attempt(latest.gateway);
    }
    if (plan.repeatAfterMs !== null && latest.outcome === 'ok') {
      await Promise.race([sleep(plan.repeatAfterMs), stopping.promise]);
      await attempt();
    }
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
  const loops = [
    arrive(arrivals.next, perSecond, () => planOf(options, choices)),
    arrive(random.fork('steady arrivals').next, steadyPerSecond, () => rateLimitedPlanOf(options, steady)),
  ];

  const bursts = random.fork('bursts');
  const burst = async () => {
    await Promise.all(burstOf(options, bursts).map(begin));
  };
  const exhaust = async () => {
    for (let n = 0; n < exhaustingBursts; n++) {
      const before = exhaustedTimes(history);
      await burst();
      if (exhaustedTimes(history) > before) return;
    }
  };
  const end = async () => {
    stopped = true;
    stopping.resolve();
    await Promise.all(loops);
    await Promise.all([...running]);
    await exhaust();
    ready.stop();
  };
  let ended: Promise<void> | undefined;

  return {
    history,
    burst,
    stop() {
      ended ??= end();
      return ended;
    },
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
