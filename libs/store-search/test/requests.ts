import { searchBody } from '../src/language/bodies.ts';
import { storeQueryOf } from '../src/language/normalize.ts';
import type { StoreQuery } from '../src/query.ts';
import { vocabulary } from './vocabulary.ts';

/** Parses a request as the service does. */
export function parsedQuery(body: object): StoreQuery {
  const { where, sort } = searchBody.parse(body);
  return storeQueryOf({ where, sort }, vocabulary);
}
