import { monitorEventLoopDelay } from 'node:perf_hooks';
import { check } from './checker/check.ts';
import { openDatabases } from './checker/databases.ts';
import type { Figures } from './checker/figures.ts';
import type { Findings } from './checker/promises.ts';
import { sampleAllowance } from './checker/sampler.ts';
import type { Timeline } from './checker/timeline.ts';
import { type Clients, startClients } from './clients/clients.ts';
import { createCustomers } from './clients/customers.ts';
import type { Operation } from './clients/history.ts';
import { letGatewaysKnowKey } from './clients/know-key.ts';
import { type Scenario, usualAfterMs } from './faults/scenario.ts';
import { createRandom } from './random.ts';
import { createStage } from './stage.ts';
import type { FaultSystem } from './system/system.ts';
import { sleep } from './wait.ts';

export interface Run {
  scenario: string;
  seed: number;
  findings: Findings;
  figures: Figures;
  /** What the clients saw; for whoever looks into a finding. */
  history: readonly Operation[];
  timeline: Timeline;
}

export interface RunOptions {
  system: FaultSystem;
  scenario: Scenario;
  seed: number;
  stores: readonly string[];
  /** Shorter before and after the fault. */
  isShort?: boolean;
}

const beforeMs = 6_000;
const firstBurstMs = 200;
const burstPauseMs = 15_000;
const perSecond = 12;

/** One fault under one seed: load, harm, repair, more load, and then the books are compared. */
export async function runScenario(options: RunOptions): Promise<Run> {
  const { system, scenario, seed, stores, isShort = false } = options;
  const random = createRandom(seed).fork(scenario.name);
  const customers = await createCustomers(system.direct.keys);
  const databases = await openDatabases(system.direct.mongodbUrl);
  const blur = monitorEventLoopDelay({ resolution: 20 });
  blur.enable();
  const clients = startClients({
    system,
    customers,
    random: random.fork('clients'),
    known: stores,
    scannable: stores,
    perSecond: scenario.perSecond ?? perSecond,
  });
  const sampler = sampleAllowance(databases, customers);
  const { stage, told } = createStage({ system, customers, clients, databases, random: random.fork('fault') });
  let isHealed = false;
  try {
    await sleep(isShort ? beforeMs / 2 : beforeMs);
    void clients.burst();
    const [least, most] = scenario.holdMs;
    const holdMs = stage.random.between(least, most);
    const isKeyKnown = await letGatewaysKnowKey(system, customers);
    if (!scenario.revokesItself) await stage.revoke();
    const injectedMs = performance.now();
    const bursts = burstUntil(clients, () => isHealed);
    const heal = await scenario.inject(stage);
    const untilMs = performance.now() + holdMs;
    await scenario.meanwhile?.(stage, untilMs);
    await sleep(untilMs - performance.now());
    const recoversFromMs = await heal();
    const healedMs = performance.now();
    isHealed = true;
    void clients.burst();
    await sleep(scenario.afterMs ?? (isShort ? usualAfterMs / 2 : usualAfterMs));
    await Promise.all([clients.stop(), bursts]);
    const allowance = await sampler.stop();
    const { problems, figures: noted, interrupted, struckMs = injectedMs, times } = told();
    const timeline: Timeline = {
      wallOffsetMs: Date.now() - performance.now(),
      ...{ injectedMs, struckMs, healedMs, recoversFromMs, isKeyKnown, ...times },
      endedMs: performance.now(),
      blurMs: blur.max / 1e6,
    };
    const gatewayUrls = system.gateways.map(({ url }) => url);
    const operations = clients.history;
    const seen = { operations, timeline, allowance, interrupted, problems, noted };
    const { findings, figures } = await check({ ...seen, scenario, customers, databases, gatewayUrls, isShort });
    return {
      scenario: scenario.name,
      seed,
      findings,
      figures: { ...figures, 'blur, ms': timeline.blurMs },
      history: operations,
      timeline,
    };
  } finally {
    isHealed = true;
    blur.disable();
    await clients.stop();
    await sampler.stop();
    await databases.close();
    customers.close();
  }
}

export const brokenPromises = ({ findings }: Pick<Run, 'findings'>): string[] =>
  Object.entries(findings).flatMap(([promise, problems]) => problems.map((problem) => `${promise}: ${problem}`));

/** Takes of the tight allowance while the fault lasts. */
async function burstUntil(clients: Clients, isOver: () => boolean): Promise<void> {
  await sleep(firstBurstMs);
  while (!isOver()) {
    await clients.burst();
    const endMs = performance.now() + burstPauseMs;
    while (!isOver() && performance.now() < endMs) await sleep(100);
  }
}
