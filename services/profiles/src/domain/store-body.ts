import { hash } from 'node:crypto';
import { deriveId } from '@shopscope/ids';
import type { Signal } from './signal.ts';
import type { StoreProfile, StoreTechnology } from './store-profile.ts';
import type { Catalog } from './values.ts';

/**
 * The Store object of the public contract, serialized once per observation that the profile shows. Members have the
 * order of the contract.
 */
export interface StoreBody {
  bytes: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
}

const etagLength = 22;

/** `siteUrl` has no trailing slash. */
export function storeBody(profile: StoreProfile, siteUrl: string): StoreBody {
  const bytes = Buffer.from(JSON.stringify(storeObject(profile, siteUrl)));
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, etagLength)}"` };
}

function storeObject(profile: StoreProfile, siteUrl: string) {
  const { domain, platform, status, geography, industry } = profile;
  const removals = profile.candidates.filter((signal) => signal.type === 'technology_removed');
  const removalCandidates = new Set(removals.map((signal) => signal.technology));
  return {
    brand_group_id: deriveId('bg', domain),
    domain,
    storefront_host: profile.storefrontHost,
    storefront_id: deriveId('sf', domain),
    name: profile.name,
    profile_url: `${siteUrl}/stores/${domain}`,
    catalog: catalogObject(profile.catalog),
    geography: { basis: geography.basis, country: geography.country },
    industry: { basis: industry.basis, slug: industry.slug },
    observation: {
      coverage_note: profile.coverageNote,
      last_completed_scan_at: profile.lastCompletedScanAt.toISOString(),
      scope: profile.scope,
    },
    platform: {
      name: platform.name,
      slug: platform.slug,
      confidence: platform.confidence,
      first_observed_at: platform.firstObservedAt.toISOString(),
      last_confirmed_at: platform.lastConfirmedAt.toISOString(),
    },
    status: { state: status.state, as_of: status.asOf.toISOString() },
    technologies: profile.technologies.map((technology) =>
      entryObject(technology, removalCandidates.has(technology.slug)),
    ),
    recent_signals: profile.recentSignals.map(signalObject),
  };
}

function catalogObject(catalog: Catalog) {
  const { median, p25, p75 } = catalog.priceRange;
  return {
    as_of: catalog.asOf.toISOString(),
    product_count: catalog.productCount,
    available_count: catalog.availableCount,
    coverage: catalog.coverage,
    currency: catalog.currency,
    price_range: { median, p25, p75 },
  };
}

function entryObject(technology: StoreTechnology, isRemovalCandidate: boolean) {
  return {
    category: technology.category,
    confidence: technology.confidence,
    first_observed_at: technology.firstObservedAt.toISOString(),
    install_state: isRemovalCandidate ? 'inactive' : technology.installState,
    last_confirmed_at: technology.lastConfirmedAt.toISOString(),
    name: technology.name,
    slug: technology.slug,
  };
}

function signalObject(signal: Signal) {
  return {
    id: signal.id,
    type: signal.type,
    technology: signal.technology,
    from: signal.from,
    to: signal.to,
    confidence: signal.confidence,
    effective_at: signal.effectiveAt.toISOString(),
    confirmed_at: (signal.confirmedAt ?? signal.effectiveAt).toISOString(),
  };
}
