import type { Technology } from '@shopscope/proto';
import {
  type TechnologyFigures,
  technologyFiguresOf,
  technologyFiguresRequest,
  unknownFigures,
} from '@shopscope/store-search';
import type { SearchClient } from '../../peers/search-client.ts';
import type { CountCaller } from './store-counts.ts';

const timeoutMs = 3_000;

/** The active stores with a technology, and what they are. All of it is null while search does not answer. */
export async function figuresOf(
  { search }: { search: Pick<SearchClient, 'countStores'> },
  technology: Pick<Technology, 'slug' | 'kind'>,
  { workspaceId, origin, deadline }: CountCaller,
): Promise<TechnologyFigures> {
  const request = technologyFiguresRequest(technology, { workspaceId });
  const counted = await search
    .countStores(request, { origin, deadline: deadline.capped(timeoutMs) })
    .catch(() => undefined);
  return counted ? technologyFiguresOf(technology.slug, counted) : unknownFigures;
}
