import { exhaustedTimes } from '../checker/allowance.ts';
import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';
import { poll, sleep } from '../wait.ts';
import type { Attempt, Operation } from './history.ts';
import { burstOf, limitedPlanOf, type Plan, type PlanOptions, planOf } from './plan.ts';
import { send } from './send.ts';

/**
 * Open-loop clients: requests start when their time has come, whatever became of the earlier ones. They go to the gateways
 * that say they are ready, as behind a balancer. What went unanswered under an Idempotency-Key is sent again under it, to
 * the other gateway, until it is answered; some answered ones are repeated as well, at once or later.
 */
export interface Clients {
  history: Operation[];
  /** Simultaneous look-ups under the tight allowance; resolves when all are answered or out of time. */
  burst(): Promise<void>;
  /** No further operations; resolves when the tight allowance is exhausted and every retry is answered or out of time. */
  stop(): Promise<void>;
}

export interface ClientOptions extends PlanOptions {
  random: Random;
  /** Mean rate of operations. */
  perSecond: number;
}

/** Longer than any answer may take. */
const callTimeoutMs = 12_000;
const retryPauseMs = 500;
const retryForMs = 90_000;
const readyEveryMs = 100;
/** Of the limited customer, beside the mix. */
const steadyPerSecond = 2.5;
/** More than the tight allowance is worth, failures included. */
const exhaustingBursts = 8;

export function startClients(options: ClientOptions): Clients {
  const { system, random, perSecond } = options;
  const history: Operation[] = [];
  const running = new Set<Promise<void>>();
  const ready = watchReadiness(system);
  let stopped = false;
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
      await sleep(plan.repeatAfterMs);
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
    arrive(random.fork('steady arrivals').next, steadyPerSecond, () => limitedPlanOf(options, steady)),
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

/** Unanswered so far, or refused on the way to an answer. An answer of any kind to a first attempt is final. */
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
        const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
        isReady[n] = answer?.status === 200;
        return stopped || undefined;
      },
      { timeoutMs: Number.POSITIVE_INFINITY, everyMs: readyEveryMs },
    );
  }
  return {
    /** The wanted gateway when it is ready, else another that is, else the wanted one all the same. */
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
