import { readListing, summarize } from './catalog/catalog.ts';
import { confidenceOf, type Detection, Engine } from './engine/detect.ts';
import { furtherPages } from './further-pages.ts';
import { gate } from './gate/gate.ts';
import type { PageFailure } from './gate/page-kinds.ts';
import { readInventory, unknownHandles } from './inventory/inventory.ts';
import { once } from './once.ts';
import { type PageEvidence, readEvidence } from './page/evidence.ts';
import { isPlatform, platformOf, primaryPlatform } from './platform/platform.ts';
import { shopifyTheme } from './platform/theme.ts';
import { pageCurrency } from './profile/currency.ts';
import { geographyOf } from './profile/geography.ts';
import { industryOf } from './profile/industry.ts';
import { storeName } from './profile/name.ts';
import { ownHost } from './profile/own-host.ts';
import { platformShop } from './profile/platform-shop.ts';
import { statusOf } from './profile/status.ts';
import { visibleText } from './profile/visible-text.ts';
import { rules } from './rules/index.ts';
import { knownHandles } from './rules/tables.ts';
import type { DetectedTechnology, PageInput, StoreObservation } from './types.ts';

/** The first call compiles the rules. A service that reads only the vocabulary never compiles them. */
const engine = once(() => new Engine(rules));

function technologyOf(detection: Detection): DetectedTechnology {
  const { rule, active, version, sources } = detection;
  return {
    slug: rule.slug,
    name: rule.name,
    kind: rule.kind,
    category: rule.category,
    confidence: confidenceOf(detection),
    installState: active || rule.kind === 'platform' ? 'active' : 'configured',
    ...(version && { version }),
    sources: [...sources].sort(),
  };
}

function technologiesOf(
  found: ReadonlyMap<string, Detection>,
  platform: Detection | undefined,
  evidence: PageEvidence,
): DetectedTechnology[] {
  const kept = [...found.values()].filter((detection) => !isPlatform(detection) || detection === platform);
  const theme = platform?.rule.slug === 'shopify' ? shopifyTheme(evidence) : undefined;
  const technologies = [...kept.map(technologyOf), ...(theme ? [theme] : [])];
  return technologies.sort((one, other) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0));
}

/** Reads every page, even one that the gate refuses. */
function readPage(page: PageInput) {
  const evidence = readEvidence(page);
  const inventory = readInventory(evidence);
  const found = engine().detect(evidence, inventory);
  const platform = primaryPlatform(found);
  const currency = pageCurrency(evidence);
  const listing = readListing(evidence, currency);
  const visible = visibleText(evidence.document);
  const state = statusOf(evidence, platform?.rule.slug, listing, visible, {
    isDetected: (slug) => found.has(slug),
    isCertain: platform !== undefined && confidenceOf(platform) === 'high',
    makers: [...found.values()]
      .filter((one) => one === platform || one.rule.kind === 'theme')
      .map(({ rule: { name, website, kind } }) => ({ name, website, isTheme: kind === 'theme' })),
  });
  return { evidence, inventory, found, platform, currency, listing, visible, state };
}

/** The observation of the store's own page, or the reason why the page is not the store's own. */
export type PageLook = { seen: StoreObservation; failure?: never } | { seen?: never; failure: PageFailure };

/**
 * Observes a store from one fetched page and the further fetched resources, if the page is the store's own.
 *
 * - Pure. Never throws on page text.
 * - Bounds: every step takes linear time. Regular expressions run in linear time on bounded text.
 */
export function lookAtPage(page: PageInput): PageLook {
  const read = readPage(page);
  const failure = gate(read.evidence, read);
  return failure ? { failure } : { seen: observationOf(read) };
}

/** Observes a page that is known to be the store's own. */
export const observeStore = (page: PageInput): StoreObservation => observationOf(readPage(page));

function observationOf(read: ReturnType<typeof readPage>): StoreObservation {
  const { evidence, inventory, found, platform, currency, listing, visible, state } = read;
  const own = ownHost(evidence);
  const shop = platformShop(evidence);
  const named = storeName(evidence, shop, own, visible);
  const geography = geographyOf(evidence, {
    shop,
    own,
    name: named.name,
    visible,
    currency,
    platform: platform?.rule.slug,
  });
  const seen = {
    platform: platformOf(platform),
    technologies: technologiesOf(found, platform, evidence),
    ...named,
    geography,
    industry: industryOf(evidence, listing, named.name, own, state, visible),
    catalog: summarize(listing, {
      currency: currency ?? shop.currency,
      country: geography.country,
    }),
    status: { state },
    unknownHandles: unknownHandles(inventory, knownHandles, new Set(found.keys())),
  };
  return { ...seen, furtherPages: furtherPages(evidence, seen) };
}
