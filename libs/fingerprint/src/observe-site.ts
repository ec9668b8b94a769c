import { lookAtPage } from './observe-store.ts';
import type { Confidence, DetectedTechnology, FurtherPageKind, PageInput, StoreObservation } from './types.ts';

export interface FurtherPageInput {
  kind: FurtherPageKind;
  page: PageInput;
}

export interface SiteObservation extends StoreObservation {
  /** The kinds of the further pages that the observation includes. */
  read: readonly FurtherPageKind[];
  /** The platform that each further page shows by itself. `custom` if it shows none. */
  furtherPlatforms: readonly string[];
}

const ranks: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 };
const about: readonly FurtherPageKind[] = ['imprint', 'contact', 'about'];

/**
 * Adds further pages of the site to the observation of its home page.
 *
 * - A further page that is not the store's own, such as a challenge, is left out. `read` has the kinds of the other pages.
 * - Technologies of all pages count. Platform and theme come from the home page only.
 * - A certain name or country of an imprint, contact or about page replaces an uncertain one of the home page.
 * - Status, industry and catalogue come from the home page.
 */
export function observeSite(seen: StoreObservation, further: readonly FurtherPageInput[]): SiteObservation {
  const pages = further.flatMap(({ kind, page }) => {
    const look = lookAtPage(page);
    return look.seen ? [{ kind, seen: look.seen }] : [];
  });
  const read = pages.map(({ kind }) => kind);
  const furtherPlatforms = pages.map((page) => page.seen.platform.slug);
  if (pages.length === 0) return { ...seen, read, furtherPlatforms };
  const telling = about.flatMap((kind) => pages.filter((page) => page.kind === kind).map((page) => page.seen));
  return {
    ...seen,
    ...nameOf(seen, telling),
    geography: geographyOf(seen, telling),
    technologies: technologiesOf(seen, pages),
    read,
    furtherPlatforms,
  };
}

function nameOf(seen: StoreObservation, telling: readonly StoreObservation[]) {
  const { name, nameBasis } = seen;
  const better = nameBasis === 'domain' ? telling.find((page) => page.nameBasis !== 'domain') : undefined;
  return better ? { name: better.name, nameBasis: better.nameBasis } : { name, nameBasis };
}

type Geography = StoreObservation['geography'];
const isCertain = ({ basis }: Geography): boolean => basis === 'declared' || basis === 'observed';

/** A country that a further page infers counts only if the home page has none and no other page contradicts. */
function geographyOf({ geography }: StoreObservation, telling: readonly StoreObservation[]): Geography {
  if (isCertain(geography)) return geography;
  const others = telling.map((page) => page.geography);
  const certain = others.find(isCertain);
  if (certain) return certain;
  if (geography.basis !== 'unknown') return geography;
  const inferred = others.filter(({ basis }) => basis === 'inferred');
  const [first] = inferred;
  return first && inferred.every(({ country }) => country === first.country) ? first : geography;
}

function technologiesOf(
  home: StoreObservation,
  pages: readonly { kind: FurtherPageKind; seen: StoreObservation }[],
): DetectedTechnology[] {
  const bySlug = new Map(home.technologies.map((technology) => [technology.slug, technology]));
  for (const { kind, seen } of pages) {
    for (const technology of seen.technologies) {
      if (technology.kind === 'platform' || technology.kind === 'theme') continue;
      const known = bySlug.get(technology.slug);
      const found: DetectedTechnology = { ...technology, sources: [kind] };
      bySlug.set(technology.slug, known ? merged(known, found) : found);
    }
  }
  return [...bySlug.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

function merged(known: DetectedTechnology, found: DetectedTechnology): DetectedTechnology {
  const isActive = known.installState === 'active' || found.installState === 'active';
  const version = known.version ?? found.version;
  return {
    ...known,
    confidence: ranks[found.confidence] > ranks[known.confidence] ? found.confidence : known.confidence,
    installState: isActive ? 'active' : 'configured',
    ...(version !== undefined && { version }),
    sources: [...new Set([...known.sources, ...found.sources])].sort(),
  };
}
