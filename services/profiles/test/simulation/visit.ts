import { hourMs } from '@shopscope/clock';
import type { DetectedTechnology, Observation, ObservedSite } from '../../src/domain/observation.ts';
import { type Episode, type PlantedStore, type PlantedTechnology, truthAt } from './planted-store.ts';
import type { Random } from './random.ts';
import type { Rates } from './rates.ts';

const startMs = Date.UTC(2026, 0, 1);
export const dateOf = (hour: number): Date => new Date(startMs + hour * hourMs);
export const hourOf = (date: Date): number => (date.getTime() - startMs) / hourMs;

/**
 * Returns what a scan of the store sees at this time, or null if the scan fails, for example because a wall was
 * recognised.
 */
export function visit(
  store: PlantedStore,
  rates: Rates,
  random: Random,
  { hour, sequence }: { hour: number; sequence: number },
): Observation | null {
  const now = (kind: Episode['kind']) =>
    store.episodes.find((each) => each.kind === kind && each.fromHour <= hour && hour < each.toHour);
  const truth = truthAt(store, hour);
  const facts = { scanId: `scan_${sequence}`, domain: 'shop.example', sequence, completedAt: dateOf(hour) };
  if (now('outage') || truth.state === 'unreachable') return { ...facts, outcome: 'unreachable', reason: 'timeout' };
  const wall = now('wall');
  if (wall && !wall.page) return null;
  const settings = truth.technologies.filter(({ sources }) => sources[0] === 'dns.txt');
  if (wall?.page) return pageOf(facts, { ...wall.page, technologies: settings.map(detected) });
  if (truth.state !== 'active_storefront') {
    return pageOf(facts, { state: truth.state, platform: null, technologies: settings.map(detected) });
  }
  if (now('pause')) return pageOf(facts, { state: 'password_protected', platform: null });

  const [broken, test] = [now('broken'), now('test')];
  const isTestB = random() < 0.5;
  const isTagMissing = random() < rates.tagManagedMissPerVisit;
  const isShown = ({ slug }: PlantedTechnology): boolean => {
    if (random() < rates.missPerVisit || broken?.technologies?.has(slug)) return false;
    if (isTestB && test?.technologies?.has(slug)) return false;
    return !(isTagMissing && slug === store.tagManaged);
  };
  const isRead = ({ sources }: PlantedTechnology) =>
    store.isLinked || !sources.includes('product') || sources.length > 1;
  const sourcesRead = ['dns.txt', 'home', ...(store.isLinked ? ['product'] : [])];
  return pageOf(facts, {
    platform: { slug: truth.platform, name: truth.platform, confidence: 'high' },
    technologies: truth.technologies
      .filter((each) => isRead(each) && isShown(each))
      .map(({ slug, sources }) => detected({ slug, sources: sources.filter((one) => sourcesRead.includes(one)) })),
    sourcesRead,
    furtherPlatforms: store.isLinked ? [truth.platform] : [],
    scope: random() < rates.partialShare ? 'partial' : 'full',
  });
}

const pageOf = (
  facts: Pick<ObservedSite, 'scanId' | 'domain' | 'sequence' | 'completedAt'>,
  over: Partial<ObservedSite>,
): ObservedSite => ({
  ...facts,
  outcome: 'observed',
  scope: 'full',
  coverageNote: null,
  storefrontHost: facts.domain,
  state: 'active_storefront',
  name: 'Shop',
  platform: null,
  technologies: [],
  technologiesOmitted: false,
  geography: null,
  industry: null,
  catalog: null,
  sourcesRead: ['dns.txt', 'home'],
  furtherPlatforms: [],
  ...over,
});

const detected = ({ slug, sources }: PlantedTechnology): DetectedTechnology => ({
  slug,
  name: slug,
  kind: 'app',
  category: 'any',
  confidence: 'high',
  installState: sources[0] === 'dns.txt' ? 'configured' : 'active',
  sources,
});
