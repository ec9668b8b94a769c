import type { Units } from '@shopscope/proto';
import { unitsOfWalk } from '../language/scopes-and-units.ts';
import type { StoreQuery } from '../query.ts';
import { isHiddenTotal, type ShownCount } from './shown-count.ts';

/** Returns the units of all rows as far as the total is shown, or undefined if it is hidden. */
export const quoteOf = (shown: Pick<ShownCount, 'total'>, query: StoreQuery, rowsPerPage: number): Units | undefined =>
  isHiddenTotal(shown) ? undefined : unitsOfWalk(query, shown.total.value, rowsPerPage);
