import { invalidField } from '@shopscope/errors';
import type { TechnologyPage, TechnologyQuery } from '../domain/technology-index.ts';
import type { Dependencies } from './dependencies.ts';

const limitMax = 200;

/** One page of the vocabulary, by slug; `hasMore` says whether another follows. */
export function listTechnologies(deps: Pick<Dependencies, 'technologies'>, query: TechnologyQuery): TechnologyPage {
  if (!(query.limit >= 1 && query.limit <= limitMax)) throw invalidField('limit', `must be from 1 to ${limitMax}`);
  return deps.technologies.page(query);
}
