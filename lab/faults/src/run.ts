import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pasts } from '@shopscope/demo-stores';
import { check } from './checker/check.ts';
import { openDatabases } from './checker/databases.ts';
import type { Figures } from './checker/figures.ts';
import { sampleAllowances } from './checker/sampler.ts';
import { attemptsOf, type Timeline } from './checker/timeline.ts';
import { type Clients, startClients } from './clients/clients.ts';
import { createCustomers } from './clients/customers.ts';
import type { Attempt } from './clients/history.ts';
import { warmKeyCaches } from './clients/warm-key-caches.ts';
import { createFaultContext } from './fault-context.ts';
import { defaultLoadAfterMs, type FaultContext, type Scenario } from './faults/scenario.ts';
import { createRandom } from './random.ts';
import { counterSum, metricsOf } from './system/service-metrics.ts';
import type { FaultSystem } from './system/system.ts';
import { poll, sleep } from './wait.ts';

export type Run = Awaited<ReturnType<typeof runScenario>>;

export interface RunOptions {
  system: FaultSystem;
  scenario: Scenario;
  seed: number;
  stores: readonly string[];
  /** In the short form, the load before and after the fault ends as soon as every gateway has served some requests. */
  isShort?: boolean;
}

const beforeMs = 6_000;
/** In the short form, every gateway serves this many requests before the fault, and as many after it. */
const servedPerGateway = 15;
const servedWithinMs = 60_000;
const canceledWithinMs = 60_000;
const firstBurstMs = 200;
const burstPauseMs = 15_000;
const perSecond = 12;

/**
 * Runs one scenario with one seed: it starts the load, injects the fault, ends the fault, and continues the load. Then the checker compares
 * the history with the databases.
 */
export async function runScenario(options: RunOptions) {
  const { system, scenario, seed, stores, isShort = false } = options;
  const random = createRandom(seed).fork(scenario.name);
  const customers = await createCustomers(system.direct.keys);
  const databases = await openDatabases(system.direct.mongodbUrl);
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();
  const clients = startClients({
    system,
    customers,
    random: random.fork('clients'),
    known: stores,
    withSignals: pasts.map(({ domain }) => domain).filter((domain) => stores.includes(domain)),
    scannable: stores,
    perSecond: scenario.perSecond ?? perSecond,
  });
  const decidedBefore = await localDecisions(system);
  const sampler = sampleAllowances(databases, customers);
  const { context, outcome } = createFaultContext({
    system,
    customers,
    clients,
    databases,
    random: random.fork('fault'),
  });
  let isHealed = false;
  try {
    await (isShort ? requireServed(context) : sleep(beforeMs));
    void clients.burst();
    const [least, most] = scenario.durationMs;
    const durationMs = context.random.between(least, most);
    const isKeyCached = await warmKeyCaches(system, customers);
    if (!scenario.revokesDuringFault) await context.revoke();
    const injectionStartMs = performance.now();
    const bursts = burstUntil(clients, () => isHealed);
    const heal = await scenario.inject(context);
    const untilMs = performance.now() + durationMs;
    await scenario.duringFault?.(context, untilMs);
    await sleep(untilMs - performance.now());
    const recoveryStartMs = await heal();
    const healedMs = performance.now();
    isHealed = true;
    void clients.burst();
    if (isShort) await Promise.all([requireServed(context), requireCanceled(context)]);
    else await sleep(scenario.loadAfterMs ?? defaultLoadAfterMs);
    await Promise.all([clients.stop(), bursts]);
    const allowance = await sampler.stop();
    const { figures: scenarioFigures, faultStartMs = injectionStartMs, times, ...recorded } = outcome();
    const timeline: Timeline = {
      wallOffsetMs: Date.now() - performance.now(),
      injectionStartMs,
      faultStartMs,
      healedMs,
      recoveryStartMs,
      isKeyCached,
      ...times,
      endedMs: performance.now(),
      maxLoopDelayMs: loopDelay.max / 1e6,
    };
    const gatewayUrls = system.gateways.map(({ url }) => url);
    const operations = clients.history;
    const decided = await localDecisions(system);
    const seen = {
      sellOut: () => clients.sellOut(),
      operations,
      timeline,
      allowance,
      ...recorded,
      scenarioFigures,
      localDecisions: increase(decidedBefore, decided),
    };
    const { findings, figures: checked } = await check({
      ...seen,
      scenario,
      customers,
      databases,
      gatewayUrls,
      isShort,
    });
    const figures: Figures = { ...checked, 'blur, ms': timeline.maxLoopDelayMs };
    return {
      scenario: scenario.name,
      seed,
      findings,
      figures,
      /** The clients' history, to investigate a finding. */
      history: operations,
      timeline,
    };
  } finally {
    isHealed = true;
    loopDelay.disable();
    await clients.stop();
    await sampler.stop();
    await databases.close();
    clients.close();
    customers.close();
  }
}

export const brokenPromises = ({ findings }: Pick<Run, 'findings'>): string[] =>
  Object.entries(findings).flatMap(([promise, problems]) => problems.map((problem) => `${promise}: ${problem}`));

/** Reads from the metrics of each gateway how many rate-limit decisions it has made without Redis since its start. */
const localDecisions = (system: FaultSystem): Promise<number[]> =>
  Promise.all(
    system.gateways.map(async ({ adminUrl }) =>
      counterSum(await metricsOf(adminUrl), 'gateway_admissions_total', 'by="local"'),
    ),
  );

/** Sums the increases of counters. A counter that is below its earlier value has begun again at 0. */
const increase = (before: readonly number[], after: readonly number[]): number =>
  after.reduce((sum, count, n) => sum + (count < (before[n] ?? 0) ? count : count - (before[n] ?? 0)), 0);

/** Requires that every gateway serves {@link servedPerGateway} requests that begin from now on. */
async function requireServed({ system, clients, recordProblem }: FaultContext): Promise<void> {
  const fromMs = performance.now();
  const served = (gateway: number) =>
    attemptsOf(clients.history).filter(
      (attempt) => attempt.gateway === gateway && attempt.outcome === 'ok' && attempt.startMs >= fromMs,
    ).length;
  const haveServed = async () =>
    system.gateways.every((_, gateway) => served(gateway) >= servedPerGateway) ? true : undefined;
  if (!(await poll(haveServed, { timeoutMs: servedWithinMs })))
    recordProblem(`not every gateway served ${servedPerGateway} requests within ${servedWithinMs / 1_000} s`);
}

/** Requires that a job was canceled before it ran, so that the checker compares at least one refund. */
async function requireCanceled({ clients, recordProblem }: FaultContext): Promise<void> {
  const isRefunded = ({ canceled }: Attempt) => canceled?.state === 'canceled' && !canceled.isBilled;
  const hasRefund = async () => (attemptsOf(clients.history).some(isRefunded) ? true : undefined);
  if (!(await poll(hasRefund, { timeoutMs: canceledWithinMs })))
    recordProblem(`no job was canceled before it ran within ${canceledWithinMs / 1_000} s`);
}

/** Sends bursts of look-ups of workspaces with small allowances until the fault has ended. */
async function burstUntil(clients: Clients, isOver: () => boolean): Promise<void> {
  await sleep(firstBurstMs);
  while (!isOver()) {
    await clients.burst();
    const endMs = performance.now() + burstPauseMs;
    while (!isOver() && performance.now() < endMs) await sleep(100);
  }
}
