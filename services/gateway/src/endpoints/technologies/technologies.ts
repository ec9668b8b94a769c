import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { z } from 'zod';
import type { CursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import type { technologyQuery } from './contract.ts';

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

/** Returns one page of the technology vocabulary, in the order of slugs. A cursor belongs to its filters. */
export async function pageOfTechnologies(
  { profiles, cursors }: { profiles: Pick<Dependencies['profiles'], 'listTechnologies'>; cursors: CursorSigner },
  { kind, category = '', q = '', cursor, limit }: Query,
  origin: Origin,
  deadline: Deadline,
): Promise<{ data: TechnologyBody[]; next_cursor: string | null }> {
  const filters = filtersOf({ kind, category, q });
  const afterSlug = cursor === undefined ? '' : cursors.verify(filters, cursor);
  const page = { kind: kind ?? '', category, q, afterSlug, limit };
  const { technologies, hasMore } = await profiles.listTechnologies(page, origin, deadline);
  const last = technologies.at(-1);
  return {
    data: technologies.map(entryOf),
    next_cursor: hasMore && last ? cursors.sign(filters, last.slug) : null,
  };
}

/** `slug` may be an earlier slug of the product. */
export async function readTechnology(
  { profiles }: { profiles: Pick<Dependencies['profiles'], 'getTechnology'> },
  slug: string,
  origin: Origin,
  deadline: Deadline,
): Promise<TechnologyBody> {
  const technology = await profiles.getTechnology(slug, origin, deadline);
  if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
  return entryOf(technology);
}

type TechnologyBody = Omit<Technology, 'listingUrl'> & { listing_url: string };

const entryOf = ({ listingUrl, ...entry }: Technology): TechnologyBody => ({ ...entry, listing_url: listingUrl });
