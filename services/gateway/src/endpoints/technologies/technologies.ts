import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { z } from 'zod';
import type { CursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import type { technologyQuery } from './contract.ts';

/** Returns one page of the technology vocabulary, in the order of slugs. A cursor belongs to its filters. */
export async function pageOfTechnologies(
  { profiles, cursors }: { profiles: Pick<Dependencies['profiles'], 'listTechnologies'>; cursors: CursorSigner },
  { kind, category = '', q = '', cursor, limit }: z.output<typeof technologyQuery>,
  origin: Origin,
  deadline: Deadline,
): Promise<{ data: object[]; next_cursor: string | null }> {
  const filters = ['technologies', kind ?? '', category, q];
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
): Promise<object> {
  const technology = await profiles.getTechnology(slug, origin, deadline);
  if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
  return entryOf(technology);
}

const entryOf = ({ listingUrl, ...entry }: Technology) => ({ ...entry, listing_url: listingUrl });
