import { importPast } from '../past/past-observations.ts';
import { pasts, weeksOf } from '../past/pasts.ts';
import { applyScenarios, type DemoStore, demoStores } from './control.ts';
import { type DemoSystem, type EnrichResult, enrich, scan } from './scans.ts';
import { scenarios } from './scenarios.ts';

const fillTimeoutMs = 180_000;
const unseenCount = 3;

export interface Corpus {
  /** Demo stores that have a profile, sorted. */
  domains: string[];
  /** Types of the confirmed signals of each profile; profiles without a signal are omitted. */
  changed: Record<string, string[]>;
  /** Demo stores without a profile whose scan failed when the corpus was filled, with the scheduler's message. */
  failed: Record<string, string>;
  /** Demo stores without a profile and without a scan. */
  unseen: string[];
}

/**
 * Fills the corpus: imports the past of some stores, changes those of the scenarios and scans all of them. A few open stores are not
 * scanned, so that the system has unknown stores to scan. Resolves with the message of every failed scan.
 */
export async function fillCorpus(system: DemoSystem): Promise<Record<string, string>> {
  const stores = await demoStores(system.demoStoresUrl);
  const unseen = storesToLeaveUnseen(stores);
  const domains = stores.map(({ domain }) => domain).filter((domain) => !unseen.includes(domain));
  const told = [...pasts, ...scenarios];
  system.report(`Importing up to ${weeksOf(told)} weeks of history of ${told.length} demo stores …`);
  await importPast(system, told, Date.now());
  await applyScenarios(system.demoStoresUrl, scenarios);
  system.report(`Scanning ${domains.length} of ${stores.length} demo stores …`);
  const ends = await scan(system, domains, fillTimeoutMs);
  return Object.fromEntries([...ends].filter(([, failure]) => failure !== ''));
}

/** Requests the demo stores from the API. Users may have scanned further stores since the last start. */
export async function surveyCorpus(system: DemoSystem, failures: Readonly<Record<string, string>>): Promise<Corpus> {
  const domains = (await demoStores(system.demoStoresUrl)).map(({ domain }) => domain);
  return corpusOf(await enrich(system, domains, false), failures);
}

export function corpusOf(results: readonly EnrichResult[], failures: Readonly<Record<string, string>>): Corpus {
  const known = results.filter(({ store }) => store !== null);
  const missing = results.filter(({ store }) => store === null).map(({ input }) => input);
  const signals = known.map(
    ({ input, store }) => [input, (store?.recent_signals ?? []).map(({ type }) => type)] as const,
  );
  return {
    domains: known.map(({ input }) => input).sort(),
    changed: Object.fromEntries(signals.filter(([, types]) => types.length > 0)),
    failed: Object.fromEntries(missing.flatMap((domain) => (failures[domain] ? [[domain, failures[domain]]] : []))),
    unseen: missing.filter((domain) => !failures[domain]),
  };
}

/** The last open stores of the platform with the most stores. The corpus keeps its variety without them. */
export function storesToLeaveUnseen(stores: readonly DemoStore[]): string[] {
  const told = new Set([...scenarios, ...pasts].map(({ domain }) => domain));
  const open = Object.groupBy(
    stores.filter(({ state }) => state === 'open'),
    ({ platform }) => platform,
  );
  const most = Object.values(open).toSorted((a = [], b = []) => b.length - a.length)[0] ?? [];
  return most
    .map(({ domain }) => domain)
    .filter((domain) => domain.endsWith('.example') && !told.has(domain))
    .slice(-unseenCount);
}
