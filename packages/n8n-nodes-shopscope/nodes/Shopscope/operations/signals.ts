import { readPages } from '../../shared/read-pages.ts';
import { eachItem } from './operation.ts';
import { filtersOf, limitOf } from './parameters.ts';

export const searchSignals = eachItem((context, item) =>
  readPages(context.api, {
    path: '/v1/signals',
    query: filtersOf(context, 'filters', item),
    limit: limitOf(context, item),
  }),
);
