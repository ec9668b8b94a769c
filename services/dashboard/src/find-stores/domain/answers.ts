import type { components } from '@shopscope/client';

/** The answers of the API that the page shows. */

type Schemas = components['schemas'];

type CountMembers = 'edition' | 'total' | 'not_judged' | 'facets' | 'sample';

export interface StoreCount extends Pick<Schemas['StoreCount'], CountMembers> {
  /** The largest number of stores that `total` stands for. */
  mostRows: number;
}
export type Facet = StoreCount['facets'][number];
export type Amount = Schemas['StoreAmount'];

export type StorePage = Schemas['StorePage'];
export type StoreRow = StorePage['data'][number];
/** The store of a row, because the page asks for the compact view. */
export type CompactStore = Schemas['CompactStore'];
