import { hourMs } from '@shopscope/clock';
import { listingResources, observeStore, type PageInput } from '@shopscope/fingerprint';
import { deriveId } from '@shopscope/ids';
import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { importObservations, type ObservedStore } from '../corpus/import-observations.ts';
import type { DemoSystem } from '../corpus/scans.ts';
import { DemoStore } from '../demo-store.ts';
import { storeDefinitions } from '../stores/index.ts';
import type { Answer } from '../templates/template.ts';
import { type Past, weeksOf } from './pasts.ts';

const weekMs = 7 * 24 * hourMs;
const visitMs = 4_000;

/** Imports the past of the demo stores. Resolves with the number of observations. */
export async function importPast(
  system: Pick<DemoSystem, 'profilesAddress' | 'security'>,
  pasts: readonly Past[],
  nowMs: number,
): Promise<number> {
  const { merged, duplicates } = await importObservations(system, pastStores(pasts, nowMs));
  return merged + duplicates;
}

/**
 * Observes the demo stores as they were in the weeks before `nowMs`, by the rules of the scanner, from the home page and the listing.
 *
 * - The ids derive from domain and sequence. So a repeated import of an interrupted fill merges each observation once.
 */
export const pastStores = (pasts: readonly Past[], nowMs: number): ObservedStore[] =>
  pasts.map((past, n) => pastStore(past, nowMs - n * hourMs));

function pastStore({ domain, changes }: Past, latestMs: number): ObservedStore {
  const definition = storeDefinitions.find((each) => each.domain === domain);
  if (!definition) throw new Error(`no such demo store: ${domain}`);
  const store = new DemoStore(definition);
  const observations: ObservationCompleted[] = [];
  for (let week = weeksOf([{ domain, changes }]); week > 0; week--) {
    const { apps, platform, state } = changes[week] ?? {};
    if (platform) store.changePlatform(platform);
    if (apps) store.changeApps(apps);
    if (state) store.changeState(state);
    observations.push(observed(store, observations.length + 1, latestMs - week * weekMs));
  }
  return { domain, observations };
}

function observed(store: DemoStore, sequence: number, completedAtMs: number): ObservationCompleted {
  const { domain, host = domain } = store.definition;
  const seen = observeStore(pageOf(store, host));
  const { platform, technologies, catalog, status, name, geography, industry } = seen;
  const { p25, median, p75 } = catalog.priceRange;
  return ObservationCompleted.fromPartial({
    scanId: deriveId('scan', 'demo past', domain, String(sequence)),
    domain,
    sequence,
    startedAtMs: completedAtMs - visitMs,
    completedAtMs,
    outcome: ObservationOutcome.OBSERVED,
    scope: 'full',
    coverageNote: 'Looked at: the home page, the product listing.',
    sourcesRead: ['home'],
    storefrontHost: host,
    statusState: status.state,
    name,
    platform,
    geography,
    industry,
    technologies: technologies.map(({ version: _, sources, ...technology }) => ({
      ...technology,
      sources: [...sources],
    })),
    catalog: {
      coverage: catalog.coverage,
      productCount: catalog.productCount,
      currency: catalog.currency,
      ...(catalog.availableCount !== null && { availableCount: catalog.availableCount }),
      priceP25: p25,
      priceMedian: median,
      priceP75: p75,
    },
  });
}

function pageOf(store: DemoStore, host: string): PageInput {
  const origin = `http://${host}`;
  const read = (url: string) => ({ url, ...responseOf(store.answer(host, new URL(url))) });
  const { body: html, cookies, ...page } = read(`${origin}/`);
  const listing = store.state === 'open' ? listingResources(store.platform, origin).map(read) : [];
  return { ...page, html, requestedHost: host, ...(cookies && { cookies: [...cookies] }), resources: listing };
}

function responseOf(answer: Answer | undefined) {
  if (!answer) throw new Error('a past visit needs a response');
  const { status = 200, headers = { 'content-type': 'text/html; charset=utf-8' }, cookies, body } = answer;
  return { status, headers, cookies, body };
}
