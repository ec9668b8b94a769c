/** The data of the public pages. It is the same for every reader, so the operations take no caller. */

import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import type { DomainPage } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { Store } from '../../stores/domain.ts';
import { type MonthOfScan, monthOf } from '../../stores/domain.ts';
import { readUnseenStore, type UnseenStore } from '../../stores/operations.ts';

export type PublicStore = ReturnType<typeof publicStore>;
/** Its `install_state` is never `inactive`. */
export type PublicTechnology = PublicStore['technologies'][number];

export type StoreAnswer =
  | { state: 'known'; store: PublicStore; unseen: UnseenStore | undefined }
  /** The store is not known. This is not evidence that the site is not a store. */
  | { state: 'unknown'; domain: string; unseen: UnseenStore | undefined }
  | { state: 'no_domain'; input: string };

const domainsPerFile = 10_000;
/** The number of characters of an input that pages repeat. */
const shownInputLength = 100;

const domainPages = async (deps: Dependencies, origin: Origin): Promise<DomainPage[]> => {
  const { pages } = await deps.profiles.listDomainPages({}, origin);
  return pages.filter(({ domains }) => domains > 0);
};

export const examples = (deps: Dependencies) => deps.exampleStores;

export async function store(deps: Dependencies, input: string, origin: Origin): Promise<StoreAnswer> {
  const canonical = canonicalizeDomain(input);
  if (!canonical.ok) return { state: 'no_domain', input: input.slice(0, shownInputLength) };
  const { domain } = canonical.value;
  const [[found], unseen] = await Promise.all([
    deps.profiles.getStores([domain], origin),
    readUnseenStore(deps, domain, origin),
  ]);
  return found ? { state: 'known', store: publicStore(found.body), unseen } : { state: 'unknown', domain, unseen };
}

export async function corpus(deps: Dependencies, origin: Origin) {
  const { stores, technologies, countedAtMs } = await deps.profiles.getCorpus({}, origin);
  return { stores: countedAtMs ? stores : undefined, technologies };
}

/** The files of the sitemap. Each file has the stores of one range of domains. */
export async function sitemapFiles(deps: Dependencies, origin: Origin): Promise<{ lastScan: MonthOfScan }[]> {
  return (await domainPages(deps, origin)).map(({ lastCompletedScanAtMs }) => ({
    lastScan: monthOf(lastCompletedScanAtMs),
  }));
}

/** The stores of one file. Files are counted from 1. Throws `not_found` after the last file. */
export async function sitemapFile(deps: Dependencies, number: number, origin: Origin) {
  const page = (await domainPages(deps, origin))[number - 1];
  if (!page) throw new AppError('not_found', 'There is no such file.');
  const { afterDomain, throughDomain } = page;
  const { domains } = await deps.profiles.listDomains({ afterDomain, throughDomain, limit: domainsPerFile }, origin);
  return domains.map(({ domain, lastCompletedScanAtMs }) => ({ domain, lastScan: monthOf(lastCompletedScanAtMs) }));
}

/**
 * The public part of a store. Callers of the API pay for catalogue, changes, and dates of technologies. Each member is named, so that a
 * member that profiles get later does not become public.
 */
function publicStore(store: Store) {
  const { domain, name, storefront_host, platform, geography, industry, technologies } = store;
  const shown = technologies.filter(({ install_state }) => install_state !== 'inactive');
  return {
    domain,
    name,
    storefront_host,
    platform: { name: platform.name, slug: platform.slug, confidence: platform.confidence },
    status: { state: store.status.state },
    geography: { basis: geography.basis, country: geography.country },
    industry: { basis: industry.basis, slug: industry.slug },
    lastScan: monthOf(Date.parse(store.observation.last_completed_scan_at)),
    technologies: shown.map(({ name, slug, category, install_state }) => ({ name, slug, category, install_state })),
    /** The number of technologies that are left out because the latest scan did not confirm them. */
    inactive: technologies.length - shown.length,
  };
}
