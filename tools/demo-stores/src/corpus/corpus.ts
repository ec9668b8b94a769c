import { type DemoSystem, type EnrichResult, enrich, scan } from './scans.ts';
import { stories } from './stories.ts';
import { tellStories } from './tell-stories.ts';

const fillTimeoutMs = 180_000;
const controlTimeoutMs = 5_000;
const unseenCount = 3;

/** A demo store as its control endpoint describes it. */
export interface DemoStore {
  domain: string;
  platform: string;
  state: string;
}

/** What the corpus holds of the demo stores at one moment. */
export interface Corpus {
  /** Demo stores that have a profile, sorted. */
  domains: string[];
  /** Types of the confirmed signals that each profile shows; stores without one are left out. */
  changed: Record<string, string[]>;
  /** Demo stores without a profile whose scan failed when the corpus was filled, with the scheduler's message. */
  failed: Record<string, string>;
  /** Demo stores without a profile that nobody has scanned. */
  unseen: string[];
}

/**
 * Fills the corpus and tells the stories. A few open stores are left out, so that there are some the service has never seen.
 * Resolves with the message of every scan that failed.
 */
export async function fillCorpus(system: DemoSystem): Promise<Record<string, string>> {
  const stores = await demoStores(system.demoStoresUrl);
  const unseen = leftOut(stores);
  const domains = stores.map(({ domain }) => domain).filter((domain) => !unseen.includes(domain));
  system.report(`Scanning ${domains.length} of ${stores.length} demo stores …`);
  const ends = await scan(system, domains, fillTimeoutMs);
  const succeeded = stories.filter(({ domain }) => ends.get(domain) === '');
  system.report(`Changing ${succeeded.length} of them and scanning these again …`);
  await tellStories(system, succeeded);
  return Object.fromEntries([...ends].filter(([, failure]) => failure !== ''));
}

/** Asks the API which demo stores it knows now: people scan further ones between two starts. */
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

async function demoStores(url: string): Promise<DemoStore[]> {
  const response = await fetch(`${url}/__control`, { signal: AbortSignal.timeout(controlTimeoutMs) });
  const answer = (await response.json()) as { stores: DemoStore[] };
  return answer.stores;
}

/** The last open shops of the platform that has the most, whose absence makes the corpus no less varied. */
export function leftOut(stores: readonly DemoStore[]): string[] {
  const told = new Set(stories.map(({ domain }) => domain));
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
