import { poll } from '../wait.ts';
import { unaffected } from './expectations.ts';
import { kill, slow, suspend } from './inject.ts';
import { startReindex } from './reindex.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';
import { searchStores } from './workspace-search.ts';

/** Returns an injection while a workspace searches and counts stores. After the fault, its answers, its bill and the index must be right. */
const duringSearches =
  (fault: (context: FaultContext) => Promise<Heal>): Scenario['inject'] =>
  async (context) => {
    const searching = await searchStores(context);
    const heal = await fault(context);
    return async () => {
      const healedMs = await heal();
      await searching.finish();
      return healedMs;
    };
  };

const row = {
  row: 'search KILL; OpenSearch KILL, STOP, read-only, disk full; search KILL while it fills a new index',
  expected: 'searches answer 503 or right, and bill their rows; nothing else notices; the index catches up',
  requiredFigures: ['searches answered', 'stores indexed'],
  check: unaffected('API requests', () => true),
};
const refusing = { ...row, requiredFigures: [...row.requiredFigures, 'searches refused'] };

/** Makes the indexes refuse writes. Searches go on. */
const refuseWrites = (set: (context: FaultContext, isRefusing: boolean) => Promise<unknown>): Scenario['inject'] =>
  duringSearches(async (context) => {
    await set(context, true);
    context.recordFaultStart();
    return async () => {
      await set(context, false);
      return performance.now();
    };
  });

/** profiles answers so slowly that a new index of few stores is filled for this time. */
const slowFillMs = 4_000;
const fillBoundMs = 15_000;

/** Kills search while it fills a new index. The instance that replaces it continues, and the new index then serves. */
const killDuringFill: Scenario['inject'] = duringSearches(async (context) => {
  const { system, recordFigure } = context;
  const healLinks = await slow(system.links(/^search-.>profiles/), 'down', slowFillMs);
  const reindex = startReindex(context);
  const isFilling = async () => (await system.servers.openSearch.isFilling()) || undefined;
  const isInterrupted = await poll(isFilling, { timeoutMs: fillBoundMs, everyMs: 20 });
  const heal = await kill(context, 'search-1');
  recordFigure('refills interrupted', isInterrupted ? 1 : 0);
  await healLinks();
  return async () => {
    const healedMs = await heal();
    await reindex.requireEnd();
    return healedMs;
  };
});

export const searchScenarios: Scenario[] = [
  {
    ...refusing,
    name: 'search-kill',
    durationMs: [500, 2_000],
    inject: duringSearches((context) => kill(context, 'search-1')),
  },
  {
    ...refusing,
    name: 'opensearch-kill',
    durationMs: [500, 2_000],
    inject: duringSearches((context) => kill(context, 'opensearch')),
  },
  {
    ...refusing,
    name: 'opensearch-stop',
    durationMs: [14_000, 20_000],
    inject: duringSearches((context) => suspend(context, 'opensearch')),
  },
  {
    ...row,
    name: 'opensearch-readonly',
    durationMs: [10_000, 15_000],
    inject: refuseWrites(({ system }, isRefusing) => system.servers.openSearch.setReadOnly(isRefusing)),
  },
  {
    ...row,
    name: 'opensearch-disk',
    durationMs: [10_000, 15_000],
    inject: refuseWrites(({ system }, isRefusing) => system.servers.openSearch.setDiskFull(isRefusing)),
  },
  {
    ...row,
    name: 'refill-kill',
    requiredFigures: [...row.requiredFigures, 'refills interrupted'],
    durationMs: [500, 2_000],
    inject: killDuringFill,
  },
];
