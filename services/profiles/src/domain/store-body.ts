import { hash } from 'node:crypto';
import { deriveId } from '@shopscope/ids';
import { mostRecent } from './bound-technologies.ts';
import { pendingNote } from './pending-note.ts';
import type { Signal } from './signal.ts';
import type { StoreProfile, StoreTechnology } from './store-profile.ts';
import type { Catalog } from './values.ts';

/**
 * The serialized Store object of the public contract. It is serialized once per observation that the profile shows. Its members
 * are in the order of the contract.
 */
export interface StoreBody {
  bytes: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
}

const etagLength = 22;

/**
 * The largest number of bytes of a body. A body with the 500 technologies of the vocabulary that have the longest names is almost as large.
 * A hundred bodies of this size have 12.5 MiB. An enrich response holds at most this much in memory while it is written.
 */
export const maxBodyBytes = 131_072;

/** `siteUrl` has no trailing slash. If a body would exceed {@link maxBodyBytes}, it lists the latest confirmed technologies that fit. */
export function storeBody(profile: StoreProfile, siteUrl: string): StoreBody {
  const shown = withoutPlatforms(profile);
  const whole = serialize(shown, siteUrl);
  const bytes = whole.length <= maxBodyBytes ? whole : serialize(cut(shown, siteUrl), siteUrl);
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, etagLength)}"` };
}

/**
 * A scan detects platforms as it detects technologies, so a profile has an entry with the pages that show its platform. The contract has apps,
 * services and themes there, and the platform in a member of its own.
 */
const withoutPlatforms = (profile: StoreProfile): StoreProfile => ({
  ...profile,
  technologies: profile.technologies.filter(({ kind }) => kind !== 'platform'),
});

function serialize(profile: StoreProfile, siteUrl: string): Buffer {
  return Buffer.from(JSON.stringify(storeObject(profile, siteUrl)));
}

/** Returns the profile with the technologies that fit into the body. */
function cut(profile: StoreProfile, siteUrl: string): StoreProfile {
  const omitting: StoreProfile = { ...profile, scope: 'partial', technologiesOmitted: true };
  const removalCandidates = removalCandidatesOf(profile);
  // The note contains the number of technologies. The measured note has `0`, so more digits may be needed.
  const digits = String(profile.technologies.length).length;
  let room = maxBodyBytes - serialize({ ...omitting, technologies: [] }, siteUrl).length - digits;
  const technologies = mostRecent(profile.technologies, (technology) => {
    const entry = JSON.stringify(entryObject(technology, removalCandidates.has(technology.slug)));
    room -= Buffer.byteLength(entry) + ','.length;
    return room >= 0;
  });
  return { ...omitting, technologies };
}

/** Returns the notes about unconfirmed changes, the scan and omitted technologies. */
function coverageNoteOf(profile: StoreProfile): string | null {
  const { coverageNote, technologies, technologiesOmitted } = profile;
  const omission = technologiesOmitted
    ? `Lists only the ${technologies.length} technologies that were confirmed most recently.`
    : '';
  return [pendingNote(profile), coverageNote ?? '', omission].filter((note) => note !== '').join(' ') || null;
}

function removalCandidatesOf({ candidates }: StoreProfile): ReadonlySet<string> {
  const removals = candidates.filter((signal) => signal.type === 'technology_removed');
  return new Set(removals.map((signal) => signal.technology));
}

function storeObject(profile: StoreProfile, siteUrl: string) {
  const { domain, platform, status, geography, industry } = profile;
  const removalCandidates = removalCandidatesOf(profile);
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
      coverage_note: coverageNoteOf(profile),
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
