import { invalidField } from '@shopscope/errors';
import type { TechnologyPage, TechnologyQuery } from '../domain/technology-index.ts';
import type { Dependencies } from './dependencies.ts';

const maxLimit = 200;

/** Returns one page of the vocabulary from memory. `hasMore`: whether another page follows. */
export function listTechnologies(
  { technologies }: Pick<Dependencies, 'technologies'>,
  query: TechnologyQuery,
): TechnologyPage {
  if (!(query.limit >= 1 && query.limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  return technologies.page(query);
}
