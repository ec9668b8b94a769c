import type { Deadline } from '@shopscope/async';
import type { Origin } from '@shopscope/telemetry';
import type { ProfilesClient } from '../../peers/profiles-client.ts';
import type { CursorSigner } from '../cursor.ts';

/** A query for one page of the technology vocabulary, in the order of slugs. A cursor belongs to its filters. */
export interface TechnologiesQuery {
  kind?: string | undefined;
  category?: string | undefined;
  q?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export type ListTechnologies = (
  query: TechnologiesQuery,
  context: { origin: Origin; deadline: Deadline },
) => Promise<{ data: object[]; next_cursor: string | null }>;

export function createListTechnologies(options: {
  profiles: Pick<ProfilesClient, 'listTechnologies'>;
  cursors: CursorSigner;
}): ListTechnologies {
  return async ({ kind = '', category = '', q = '', cursor, limit }, { origin, deadline }) => {
    const filters = ['technologies', kind, category, q];
    const afterSlug = cursor === undefined ? '' : options.cursors.verify(filters, cursor);
    const page = { kind, category, q, afterSlug, limit };
    const { technologies, hasMore } = await options.profiles.listTechnologies(page, origin, deadline);
    const last = technologies.at(-1);
    return {
      data: technologies.map(({ listingUrl, ...entry }) => ({ ...entry, listing_url: listingUrl })),
      next_cursor: hasMore && last ? options.cursors.sign(filters, last.slug) : null,
    };
  };
}
