import { invalidField } from '@shopscope/errors';
import type { TechnologyPage, TechnologyQuery } from '../domain/technology-index.ts';
import type { Dependencies } from './dependencies.ts';

const maxLimit = 200;

export interface CountedTechnologyPage extends TechnologyPage {
  /** The number of live stores that use each technology, in the same order. Empty if the corpus was not counted yet. */
  stores: number[];
  countedAt: Date | undefined;
}

/** Returns one page of the vocabulary, sorted by slug, from memory. `hasMore`: whether another page follows. */
export function listTechnologies(
  deps: Pick<Dependencies, 'technologies' | 'corpusCount'>,
  query: TechnologyQuery,
): CountedTechnologyPage {
  if (!(query.limit >= 1 && query.limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  const page = deps.technologies.page(query);
  const count = deps.corpusCount();
  const stores = count ? page.technologies.map(({ slug }) => count.usage.get(slug)?.stores ?? 0) : [];
  return { ...page, stores, countedAt: count?.countedAt };
}
