import type { ObservedSite } from '../../src/domain/observation.ts';
import type { StoreState } from '../../src/domain/values.ts';
import { between, exponential, type Random } from './random.ts';
import type { Rates } from './rates.ts';

/**
 * A store of the model: its technologies, its true changes, and the times at which it looks different. Times are in
 * hours from the start.
 */
export interface PlantedStore {
  platform: string;
  technologies: PlantedTechnology[];
  /** Whether a scan can read another page. */
  isLinked: boolean;
  changes: TrueChange[];
  episodes: Episode[];
  /** Slug of the technology that a tag manager shows only sometimes; '' for none. */
  tagManaged: string;
}

export interface PlantedTechnology {
  slug: string;
  sources: readonly string[];
}

export type TrueChange =
  | { kind: 'removal'; atHour: number; technology: string }
  | { kind: 'migration'; atHour: number; platform: string; technologies: PlantedTechnology[] }
  | { kind: 'closure'; atHour: number; state: StoreState };

export interface Episode {
  kind: 'outage' | 'wall' | 'pause' | 'broken' | 'test';
  fromHour: number;
  toHour: number;
  /** The page of a wall. Undefined if the scanner recognises the wall. */
  page?: Pick<ObservedSite, 'state' | 'platform'>;
  /** The technologies during a broken release or a test. */
  technologies?: ReadonlySet<string>;
}

const hoursPerYear = 365 * 24;
const platforms = ['shopify', 'woocommerce', 'magento', 'prestashop', 'wix'];
const settings: PlantedTechnology[] = ['mail', 'help-desk'].map((slug) => ({ slug, sources: ['dns.txt'] }));

export function plantStore(random: Random, rates: Rates, days: number): PlantedStore {
  const hours = days * 24;
  const platform = platforms[between(random, 0, platforms.length - 1)] as string;
  const technologies = plantTechnologies(random, platform);
  const isWalled = random() < rates.walledShare;
  const isRecognised = random() >= rates.unrecognisedShare;
  // Most unknown pages show no shop. Some have enough of it to count as one.
  const state: StoreState = random() < 0.75 ? 'not_a_storefront' : 'active_storefront';
  const wall = isRecognised ? {} : { page: { state, platform: null } };
  const some = (most: number) => ({
    technologies: new Set(
      Array.from({ length: between(random, 1, most) }, () => {
        return (technologies[between(random, 1, technologies.length - 1)] as PlantedTechnology).slug;
      }),
    ),
  });
  const spread = <Kind extends Episode['kind']>(
    kind: Kind,
    perYear: number,
    meanHours: number,
    more: () => Partial<Episode> = () => ({}),
  ): Episode[] => {
    const found: Episode[] = [];
    if (perYear === 0) return found;
    const gapHours = hoursPerYear / perYear;
    for (let at = exponential(random, gapHours); at < hours; at += exponential(random, gapHours)) {
      found.push({ kind, fromHour: at, toHour: at + exponential(random, meanHours), ...more() });
    }
    return found;
  };
  const outages = (downShareOf(random(), rates) * hoursPerYear) / rates.outageHours;
  const isLinked = random() < rates.linkedShare;
  return {
    platform,
    technologies,
    isLinked,
    changes: plantChanges(random, rates, hours, { platform, technologies, isLinked }),
    episodes: [
      ...spread('outage', outages, rates.outageHours),
      ...spread('outage', rates.longOutages, rates.longOutageHours),
      ...spread('wall', isWalled ? rates.walls : 0, rates.wallHours, () => wall),
      ...spread('pause', rates.pauses, rates.pauseHours),
      ...spread('broken', rates.brokenReleases, rates.brokenReleaseHours, () => some(3)),
      ...spread('test', rates.abTests, rates.abTestDays * 24, () => some(1)),
    ],
    tagManaged:
      random() < rates.tagManagedShare
        ? (technologies[between(random, 1, technologies.length - 1)] as PlantedTechnology).slug
        : '',
  };
}

function downShareOf(place: number, { downtimes }: Rates): number {
  let end = 0;
  for (const { stores, down } of downtimes) {
    end += stores;
    if (place < end) return down;
  }
  return 0;
}

/** The platform first, then apps, then settings of the domain. */
function plantTechnologies(random: Random, platform: string): PlantedTechnology[] {
  const apps = Array.from({ length: between(random, 5, 13) }, (_, n): PlantedTechnology => {
    const share = random();
    const sources = share < 0.75 ? ['home'] : share < 0.9 ? ['home', 'product'] : ['product'];
    return { slug: `${platform}-app-${n}`, sources };
  });
  return [{ slug: platform, sources: ['home'] }, ...apps, ...settings];
}

/** At most one change of each kind. A closure ends the others. */
function plantChanges(
  random: Random,
  rates: Rates,
  hours: number,
  { platform, technologies, isLinked }: Pick<PlantedStore, 'platform' | 'technologies' | 'isLinked'>,
): TrueChange[] {
  const within = (perYear: number): number | undefined => {
    const at = exponential(random, hoursPerYear / perYear);
    return at < hours ? at : undefined;
  };
  const [removedAt, closedAt, movedAt] = [within(rates.removals), within(rates.closures), within(rates.migrations)];
  const next = platforms[(platforms.indexOf(platform) + 1) % platforms.length] as string;
  const states: StoreState[] = ['closed', 'parked', 'unreachable'];
  const changes: TrueChange[] = [];
  if (removedAt !== undefined) {
    const apps = technologies.slice(1, -settings.length).filter(({ sources }) => isLinked || sources.includes('home'));
    const app = apps[between(random, 0, apps.length - 1)];
    if (app) changes.push({ kind: 'removal', atHour: removedAt, technology: app.slug });
  }
  if (movedAt !== undefined) {
    changes.push({ kind: 'migration', atHour: movedAt, platform: next, technologies: plantTechnologies(random, next) });
  }
  const state = states[between(random, 0, states.length - 1)] as StoreState;
  if (closedAt !== undefined) changes.push({ kind: 'closure', atHour: closedAt, state });
  changes.sort((a, b) => a.atHour - b.atHour);
  const closure = changes.findIndex(({ kind }) => kind === 'closure');
  const kept = closure < 0 ? changes : changes.slice(0, closure + 1);
  // After a move, no technology of the old site is removed.
  const move = kept.findIndex(({ kind }) => kind === 'migration');
  return kept.filter(({ kind }, at) => kind !== 'removal' || move < 0 || at < move);
}

/** Returns the true state of the store at this time. */
export function truthAt(store: PlantedStore, hour: number) {
  let { platform, technologies } = store;
  let state: StoreState = 'active_storefront';
  for (const change of store.changes) {
    if (change.atHour > hour) break;
    if (change.kind === 'removal') technologies = technologies.filter(({ slug }) => slug !== change.technology);
    if (change.kind === 'migration') ({ platform, technologies } = change);
    if (change.kind === 'closure') ({ state } = change);
  }
  return { platform, technologies, state };
}
