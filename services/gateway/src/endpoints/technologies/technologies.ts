import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import { isHiddenTotal, shownCount } from '@shopscope/store-search';
import type { z } from 'zod';
import type { CursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import type { technologyQuery } from './contract.ts';
import type { CountCaller, StoreCounts, StoreNumbers } from './store-counts.ts';

type Query = z.output<typeof technologyQuery>;

/** What a cursor is bound to. */
const filtersOf = ({ kind, category = '', q = '' }: Pick<Query, 'kind' | 'category' | 'q'>) => [
  'technologies',
  kind ?? '',
  category,
  q,
];

/** Returns the cursor that continues after the entry. */
export const technologyCursor = (cursors: CursorSigner, query: Query, slug: string): string =>
  cursors.sign(filtersOf(query), slug);

interface PageDependencies {
  profiles: Pick<Dependencies['profiles'], 'listTechnologies'>;
  storeCounts: StoreCounts;
  cursors: CursorSigner;
}

/** Returns one page of the technology vocabulary, in the order of slugs. A cursor belongs to its filters. */
export async function pageOfTechnologies(
  { profiles, storeCounts, cursors }: PageDependencies,
  { kind, category = '', q = '', cursor, limit }: Query,
  caller: CountCaller,
): Promise<{ data: (TechnologyBody & { stores: number | null })[]; next_cursor: string | null }> {
  const filters = filtersOf({ kind, category, q });
  const afterSlug = cursor === undefined ? '' : cursors.verify(filters, cursor);
  const page = { kind: kind ?? '', category, q, afterSlug, limit };
  const [{ technologies, hasMore }, numbers] = await Promise.all([
    profiles.listTechnologies(page, caller.origin, caller.deadline),
    storeCounts.of(caller),
  ]);
  const last = technologies.at(-1);
  return {
    data: technologies.map((each) => ({ ...entryOf(each), stores: storesOf(numbers, each.slug) })),
    next_cursor: hasMore && last ? cursors.sign(filters, last.slug) : null,
  };
}

/** `slug` may be an earlier slug of the product. */
export async function readTechnology(
  { profiles }: { profiles: Pick<Dependencies['profiles'], 'getTechnology'> },
  slug: string,
  { origin, deadline }: Pick<CountCaller, 'origin' | 'deadline'>,
): Promise<TechnologyBody> {
  const technology = await profiles.getTechnology(slug, origin, deadline);
  if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
  return entryOf(technology);
}

const storesOf = (numbers: StoreNumbers | undefined, slug: string) =>
  numbers ? shownStores(numbers.get(slug) ?? 0) : null;

/** Null for a number that counts hide. */
export function shownStores(stores: number): number | null {
  const shown = shownCount({ total: stores, notJudged: 0, facets: [] }, { hasList: false });
  return isHiddenTotal(shown) ? null : stores;
}

export type TechnologyBody = Omit<Technology, 'listingUrl'> & { listing_url: string };

const entryOf = ({ listingUrl, ...entry }: Technology): TechnologyBody => ({ ...entry, listing_url: listingUrl });
