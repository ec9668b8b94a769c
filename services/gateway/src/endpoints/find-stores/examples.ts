import { exampleRequestId } from '../../contract/errors.ts';
import { storeExample } from '../get-store/examples.ts';
import { exampleCursor, exampleTime } from '../signals/contract.ts';

const edition = { id: 'edn_01kandxv3w9p4nsbq7g8e2hm5t', built_at: exampleTime };
const day = '2025-10-01T00:00:00.000Z';

export const searchRequestExample = {
  where: {
    country: { any: ['DE', 'AT'] },
    technologies: [{ any: ['klaviyo'], install_state: ['active'] }, { none: { category: 'reviews' } }],
    dropped: [{ any: ['loox'] }],
  },
  sort: 'domain',
  view: 'full',
  limit: 50,
  cursor: null,
  max_units: { lookup_cached: 50, history_query: 1 },
};

const applied = {
  country: { any: ['AT', 'DE'] },
  status: { any: ['active_storefront'] },
  technologies: [{ any: ['klaviyo'], install_state: ['active'] }, { none: { category: ['reviews'] } }],
  dropped: [{ any: ['loox'] }],
};
const window = { from: day, truncated_by_plan: false };

export const pageExample = {
  request_id: exampleRequestId,
  billed: { lookup_cached: 1, history_query: 1 },
  edition,
  where: applied,
  window,
  data: [
    {
      domain: storeExample.domain,
      storefront_id: storeExample.storefront_id,
      matched: [
        {
          technology: 'klaviyo',
          install_state: 'active',
          since: 'observed',
          first_observed_at: exampleTime,
          last_confirmed_at: exampleTime,
        },
      ],
      dropped: [
        {
          technology: 'loox',
          signal_id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t',
          effective_at: exampleTime,
          confirmed_at: exampleTime,
        },
      ],
      changed_since_edition: false,
      store: storeExample,
    },
  ],
  next_cursor: exampleCursor,
};

export const countRequestExample = {
  where: searchRequestExample.where,
  facets: ['country'],
  facet_size: 3,
};

export const countExample = {
  request_id: exampleRequestId,
  billed: { lookup_cached: 0, history_query: 1 },
  edition,
  where: applied,
  window,
  total: { value: 215, relation: 'eq' },
  not_judged: { scope_partial: { value: 12, relation: 'eq' } },
  quote: { lookup_cached: 215, history_query: 5 },
  left: { lookup_cached: 24_000, history_query: 980 },
  facets: [
    {
      field: 'country',
      values: [
        { value: 'DE', stores: 180 },
        { value: 'AT', stores: 35 },
      ],
      other: 0,
      unknown: 0,
    },
  ],
  sample: [{ domain: 'no***.example' }],
};
