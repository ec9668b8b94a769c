import { confirmedSignalOf, type KeptSignal, latestChanges } from '../../domain/kept-signal.ts';
import { historyOf, placesPage, recordedKept, searchKept, wholePage } from '../../domain/search-kept-signals.ts';
import type { SignalFilters, SignalPosition } from '../../domain/signal-query.ts';
import type { DomainBody } from '../../outbound/mongo/store-bodies.ts';
import type { TestStores } from '../../outbound/mongo/test-stores.ts';
import type { TestTenantStore } from '../../outbound/mongo/test-tenants.ts';
import type { ReadDependencies } from '../dependencies.ts';
import type { FrozenCorpus } from './frozen-corpus.ts';

type Bounds = Parameters<ReadDependencies['signals']['search']>[1];
type Parts = Omit<ReadDependencies, 'storeBodies' | 'signals'> & {
  stores: Pick<TestStores, 'bodies' | 'scanTimes' | 'signals'>;
  tenants: Pick<TestTenantStore, 'startedAtMs'>;
  corpus: FrozenCorpus;
};

/**
 * Returns the dependencies of look-ups and searches in the test stores of a workspace: the frozen corpus, and the stores that the workspace
 * has scanned in the place of frozen ones. A search reads the signals of scanned stores with one query, and filters all of them in memory.
 */
export const createTestReads =
  ({ stores, tenants, corpus, ...shared }: Parts) =>
  (workspaceId: string): ReadDependencies => {
    const startIn = (timeoutMs: number) => () => tenants.startedAtMs(workspaceId, timeoutMs);
    const rowsOf = async (timeoutMs: number, domains?: readonly string[]): Promise<KeptSignal[]> => {
      const [scanned, frozen] = await Promise.all([
        stores.signals(workspaceId, timeoutMs, domains),
        domains ? corpus.find(domains, startIn(timeoutMs)) : corpus.all(startIn(timeoutMs)),
      ]);
      const unscanned = [...frozen].filter(([domain]) => !scanned.has(domain));
      return [...scanned.values(), ...unscanned.map(([, { signals }]) => signals)].flat();
    };
    const rowsFor = ({ domains }: SignalFilters, timeoutMs: number) => rowsOf(timeoutMs, domains);
    const search = async (filters: SignalFilters, bounds: Bounds, direction: 1 | -1 = -1) =>
      searchKept(await rowsFor(filters, bounds.timeoutMs()), filters, bounds, direction);
    const recorded = async (filters: SignalFilters, bounds: Bounds & { after: SignalPosition; until: Date }) =>
      recordedKept(await rowsFor(filters, bounds.timeoutMs()), filters, bounds);

    return {
      ...shared,
      storeBodies: {
        async find(domains, timeoutMs) {
          const scanned = await stores.bodies(workspaceId, timeoutMs, domains);
          const frozen = await corpus.find(unscannedOf(domains, scanned), startIn(timeoutMs));
          return new Map([...[...frozen].map(([domain, { body }]) => [domain, body] as const), ...scanned]);
        },
        async list(after, { limit, maxBytes, timeoutMs }) {
          const scanned = await stores.bodies(workspaceId, timeoutMs);
          const frozen = [...(await corpus.all(startIn(timeoutMs)))].map(
            ([domain, { body }]) => [domain, body] as const,
          );
          const bodies: DomainBody[] = [];
          let bytes = 0;
          for (const [domain, body] of [...new Map([...frozen, ...scanned])].sort(byDomain)) {
            if (domain <= after) continue;
            if (bodies.length === limit || bytes >= maxBytes) return { bodies, hasMore: true };
            bodies.push({ domain, ...body });
            bytes += body.body.length;
          }
          return { bodies, hasMore: false };
        },
        count: async () => corpus.size,
        async scanTimes(domains, timeoutMs) {
          const scanned = await stores.scanTimes(workspaceId, domains, timeoutMs);
          const frozen = await corpus.find(unscannedOf(domains, scanned), startIn(timeoutMs));
          const times = [...frozen].map(([domain, { body }]) => [domain, body.lastCompletedScanAt] as const);
          return new Map([...times, ...scanned]);
        },
      },
      signals: {
        history: async (domain, filters, bounds) =>
          historyOf(await rowsOf(bounds.timeoutMs(), [domain]), filters, bounds),
        search: async (...query) => wholePage(await search(...query)),
        recorded: async (...query) => wholePage(await recorded(...query)),
        places: {
          search: async (...query) => placesPage(await search(...query)),
          recorded: async (...query) => placesPage(await recorded(...query)),
        },
        async ofStores(domains, { maxPerType, timeoutMs }) {
          const byStore = Map.groupBy(await rowsOf(timeoutMs, domains), ({ signal }) => signal.domain);
          return new Map([...byStore].map(([domain, rows]) => [domain, latestChanges(rows, maxPerType)]));
        },
        findAll: async (ids, timeoutMs) => {
          const wanted = new Set(ids);
          return (await rowsOf(timeoutMs)).filter(({ signal }) => wanted.has(signal.id)).map(confirmedSignalOf);
        },
      },
    };
  };

const unscannedOf = (domains: readonly string[], scanned: ReadonlyMap<string, unknown>) =>
  domains.filter((domain) => !scanned.has(domain));

const byDomain = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : Number(a > b));
