import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import type { TechnologyNumbers } from '@shopscope/store-search';
import type { z } from 'zod';
import type { CursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import type { technologyQuery } from './contract.ts';
import type { CountCaller, StoreCounts } from './store-counts.ts';

type Query = z.output<typeof technologyQuery>;

/** What a cursor is bound to. */
const filtersOf = ({ kind, category = '', q = '', sort }: Query) => ['technologies', kind ?? '', category, q, sort];

interface PageDependencies {
  profiles: Pick<Dependencies['profiles'], 'listTechnologies'>;
  storeCounts: Pick<StoreCounts, 'of' | 'ofEdition'>;
  cursors: CursorSigner;
}

export interface TechnologyPage {
  data: (TechnologyBody & { stores: number | null })[];
  next_cursor: string | null;
  /** Returns the cursor that continues after the entry. */
  cursorAt(index: number): string;
}

/** Returns one page of the technology vocabulary. A cursor belongs to its filters and order. */
export async function pageOfTechnologies(
  { profiles, storeCounts, cursors }: PageDependencies,
  query: Query,
  caller: CountCaller,
): Promise<TechnologyPage> {
  const { kind = '', category = '', q = '', sort, cursor, limit } = query;
  const filters = filtersOf(query);
  const after = cursor === undefined ? undefined : positionOf(cursors.verify(filters, cursor));
  const ofPage = { kind, category, q, afterSlug: after?.slug ?? '', limit };
  const read = (order: TechnologyNumbers['byStores'] | undefined) =>
    profiles.listTechnologies({ ...ofPage, order }, caller.origin, caller.deadline);
  const isByStores = sort === '-stores';
  const counted = isByStores && after ? numbersOfWalk(storeCounts, caller, after.editionId) : storeCounts.of(caller);
  // An order by stores needs the numbers first.
  const [{ technologies, hasMore }, numbers] = isByStores
    ? [await read((await counted)?.byStores), await counted]
    : await Promise.all([read(undefined), counted]);
  const data = technologies.map((each) => ({ ...entryOf(each), stores: numbers?.storesOf(each.slug) ?? null }));
  const editionId = isByStores ? (numbers?.edition.id ?? '') : '';
  const cursorAt = (index: number) => cursors.sign(filters, `${editionId} ${data[index]?.slug ?? ''}`);
  return { data, next_cursor: hasMore && data.length > 0 ? cursorAt(data.length - 1) : null, cursorAt };
}

interface Position {
  /** The edition of an order by stores. Empty if there was none: then all entries are by slug, without numbers. */
  editionId: string;
  slug: string;
}

function positionOf(text: string): Position {
  const [editionId = '', slug = ''] = text.split(' ');
  return { editionId, slug };
}

/** The pages of a walk by stores have the numbers of its first page: with others, an entry could be on two pages, or on none. */
const numbersOfWalk = (counts: Pick<StoreCounts, 'ofEdition'>, caller: CountCaller, editionId: string) =>
  editionId === '' ? Promise.resolve(undefined) : counts.ofEdition(caller, editionId);

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

export type TechnologyBody = Omit<Technology, 'listingUrl'> & { listing_url: string };

const entryOf = ({ listingUrl, ...entry }: Technology): TechnologyBody => ({ ...entry, listing_url: listingUrl });
