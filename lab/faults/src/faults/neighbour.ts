import { minuteMs } from '@shopscope/clock';
import {
  areLatenciesMeasured,
  checkMcpNeighbour,
  checkNeighbour,
  latenciesBeside,
  mcpBeside,
} from '../checker/neighbour.ts';
import { type CustomerKey, createModestCustomer, createNeighbourCustomer } from '../clients/customers.ts';
import { startModestMcp } from '../clients/neighbour/modest-mcp.ts';
import { startNeighbour } from '../clients/neighbour/neighbour.ts';
import { sleep } from '../wait.ts';
import { all, unaffected } from './expectations.ts';
import { noHeal } from './inject.ts';
import type { Scenario } from './scenario.ts';
import { knownDomains } from './stores-workspace.ts';

const rounds = 4;
/** The rate limit counts by minutes of the wall clock. Each active half minute therefore begins with the whole rate of its minute. */
const halfMs = minuteMs / 2;

const untilSecondHalf = () => (minuteMs + halfMs - (Date.now() % minuteMs)) % minuteMs;

/** While the load continues, one workspace with live and test keys, and one address without a key, send the worst for half a minute, and nothing for the next half. */
export const greedyNeighbour: Scenario = {
  name: 'greedy-neighbour',
  row: 'one workspace and one address without a key send the worst that limits admit, every other half minute',
  expected: 'the p99 of the others at most doubles, also the p95 of MCP; none of their requests fails',
  durationMs: [0, 0],
  isLong: true,
  assertsTiming: true,
  requiredFigures: [
    'p99 beside the neighbour, ms',
    'neighbour executed',
    'neighbour refused by limits',
    'test executed',
    'test refused by limits',
    'hang-ups',
    'slow reads',
    'wrong keys refused',
    'open bodies',
    'MCP p95 beside the neighbour, ms',
    'MCP refused by limits',
    'MCP slow bodies',
  ],
  inject: async () => noHeal,
  async duringFault({ system, clients, random, neighbourWindows, mcpMessages, recordFigure }) {
    const customer = await createNeighbourCustomer(system.direct.keys);
    const [first, ...mcpKeys] = customer.keys as [CustomerKey, ...CustomerKey[]];
    const mcpUrl = system.direct.dashboard.url;
    const [modestKey] = (await createModestCustomer(system.direct.keys)).keys as [CustomerKey];
    const modest = startModestMcp({ url: mcpUrl, secret: modestKey.secret }, mcpMessages);
    const neighbour = startNeighbour({
      gatewayUrls: system.gateways.map(({ url }) => url),
      secret: first.secret,
      testSecret: customer.testSecret,
      mcp: { url: mcpUrl, secrets: mcpKeys.map(({ secret }) => secret) },
      known: await knownDomains(system.direct.demoStoresUrl),
      seed: random.between(0, 2 ** 31),
    });
    const wait = async (isActive: boolean) => {
      const startMs = performance.now();
      await sleep(halfMs - (Date.now() % halfMs));
      neighbourWindows.push({ startMs, endMs: performance.now(), isActive });
    };
    try {
      await sleep(untilSecondHalf());
      await wait(false);
      for (let round = 1; round <= rounds; round++) {
        neighbour.begin();
        await wait(true);
        for (const [name, count] of Object.entries(await neighbour.pause())) recordFigure(name, count);
        await wait(false);
      }
    } finally {
      await neighbour.stop();
      await modest.stop();
    }
    const latencies = latenciesBeside(clients.history, neighbourWindows);
    const isMeasured = areLatenciesMeasured(latencies);
    const mcp = mcpBeside(mcpMessages, neighbourWindows);
    for (const [when, name] of [
      ['alone', 'alone'],
      ['beside', 'beside the neighbour'],
    ] as const) {
      recordFigure(`MCP messages ${name}`, mcp[when].messages);
      recordFigure(`MCP failed ${name}`, mcp[when].failed);
      recordFigure(`MCP p95 ${name}, ms`, mcp[when].p95Ms);
      recordFigure(`p50 ${name}, ms`, latencies[when].p50Ms);
      if (isMeasured) recordFigure(`p99 ${name}, ms`, latencies[when].p99Ms);
    }
    if (isMeasured) recordFigure('requests compared', latencies.alone.requests + latencies.beside.requests);
  },
  check: all(
    unaffected('requests', () => true),
    (operations, { neighbourWindows = [] }) => checkNeighbour(operations, neighbourWindows),
    (_, { mcpMessages = [], neighbourWindows = [] }) => checkMcpNeighbour(mcpMessages, neighbourWindows),
  ),
};
