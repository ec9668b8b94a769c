import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { SignalFilters, SignalPage, SignalPosition, Span } from '../domain/signal-query.ts';
import { unlistedTechnologies } from '../domain/values.ts';
import type { Dependencies } from './dependencies.ts';
import { getStores } from './get-stores.ts';

/** The filters of a caller. Empty and undefined members do not filter. */
export interface RequestedFilters extends Omit<SignalFilters, 'technologies'> {
  technology: string;
  /** The kind of the technology in the vocabulary. The same applies to `category`. */
  kind: string;
  category: string;
}

interface PageRequest {
  filters: RequestedFilters;
  after: SignalPosition | undefined;
  limit: number;
}

/** The member `observation` of the body of a store. */
export interface ObservationSummary {
  coverage_note: string | null;
  last_completed_scan_at: string;
  scope: string;
}

type SignalDependencies = Pick<Dependencies, 'signals' | 'technologies' | 'metrics'>;

const maxLimit = 200;
const lastPage: SignalPage = { signals: [], next: undefined };

/** Returns signals of one store, newest `effectiveAt` first, or undefined if the domain is not in the corpus. */
export async function getHistory(
  deps: SignalDependencies & Parameters<typeof getStores>[0],
  { domain, filters, after, limit }: PageRequest & { domain: string },
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(SignalPage & { observation: ObservationSummary }) | undefined> {
  checkLimit(limit);
  // The body is read first, so that no signal of the observation in the body is missing.
  const [store] = await getStores(deps, [domain], deadline);
  if (!store) return undefined;
  const page = await read(deps, filters, (resolved) =>
    deps.signals.history(domain, resolved, { after, limit, timeoutMs: () => deadline.timeoutMs() }),
  );
  count(deps, 'history', page, limit);
  const { observation } = JSON.parse(store.body.toString()) as { observation: ObservationSummary };
  return { ...page, observation };
}

/** Returns signals of all stores, newest `confirmedAt` first. */
export async function searchSignals(
  deps: SignalDependencies,
  { filters, after, limit }: PageRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<SignalPage> {
  checkLimit(limit);
  const page = await read(deps, filters, (resolved) =>
    deps.signals.search(resolved, { after, limit, timeoutMs: () => deadline.timeoutMs() }),
  );
  count(deps, 'search', page, limit);
  return page;
}

/** Counts the pages by their end. Many `cut` pages show that some filters have no selective index. */
function count(
  { metrics }: Pick<Dependencies, 'metrics'>,
  query: 'history' | 'search',
  { signals, next }: SignalPage,
  limit: number,
): void {
  metrics.signalPages.inc({ query, end: !next ? 'last' : signals.length === limit ? 'full' : 'cut' });
}

function checkLimit(limit: number): void {
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
}

/**
 * Kind and category are data of the vocabulary, so they are translated to technologies. No signal matches if no technology is left, or
 * if a span ends before it begins.
 */
function read(
  { technologies }: Pick<Dependencies, 'technologies'>,
  { technology: requested, kind, category, ...filters }: RequestedFilters,
  query: (filters: SignalFilters) => Promise<SignalPage>,
): Promise<SignalPage> | SignalPage {
  // Signals contain the present slug of a product.
  const technology = technologies.find(requested)?.slug ?? requested;
  if ([filters.effective, filters.confirmed, filters.retracted].some(isEmpty)) return lastPage;
  if (kind === '' && category === '')
    return query({ ...filters, technologies: technology === '' ? undefined : [technology] });
  const slugs = [...technologies.slugsOf({ kind, category }), ...unlistedSlugsOf(kind, category)];
  const wanted = technology === '' ? slugs : slugs.filter((slug) => slug === technology);
  return wanted.length === 0 ? lastPage : query({ ...filters, technologies: wanted });
}

const isEmpty = ({ from, to }: Span) => from !== undefined && to !== undefined && from > to;

function unlistedSlugsOf(kind: string, category: string): string[] {
  const isWanted = (each: (typeof unlistedTechnologies)[number]) =>
    (kind === '' || each.kind === kind) && (category === '' || each.category === category);
  return unlistedTechnologies.filter(isWanted).map(({ slug }) => slug);
}
