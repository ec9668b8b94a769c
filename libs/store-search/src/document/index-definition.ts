/**
 * The index of the documents: settings and mapping. A change of either needs a new index.
 *
 * - A field that only filters has no column (`doc_values`), and a field that only orders or names rows has no postings (`index`).
 * - Documents are sorted by domain, which is the default order of rows: a page then reads only its part of each segment.
 * - The source is not kept. Rows need the id and the version, and profiles has everything else.
 */
const filtered = { type: 'keyword', doc_values: false } as const;
const counted = { type: 'keyword' } as const;
const ordering = { type: 'keyword', index: false } as const;

const properties = {
  domain: ordering,
  storefront_id: ordering,
  platform: counted,
  country: counted,
  industry: counted,
  status: counted,
  scope: filtered,
  product_count: { type: 'long' },
  last_scan_at: { type: 'long' },
  last_changed_at: { type: 'long', index: false },
  first_scan_day: { type: 'integer', doc_values: false },
  tech: counted,
  tech_state: filtered,
  tech_since: filtered,
  tech_first: filtered,
  category: counted,
  kind: filtered,
  group_state: filtered,
  group_since: filtered,
  group_first: filtered,
  dropped: filtered,
  dropped_group: filtered,
  moved: filtered,
  moved_from: filtered,
  moved_to: filtered,
  moved_day: { type: 'integer', doc_values: false },
} as const;

export type IndexField = keyof typeof properties;

export const indexDefinition = ({ shards, replicas }: { shards: number; replicas: number }) => ({
  settings: {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      refresh_interval: '10s',
      // For this time the engine remembers the version of a deleted document, so that an earlier write cannot bring it back.
      gc_deletes: '1h',
      sort: { field: ['domain'], order: ['asc'] },
    },
  },
  mappings: { dynamic: 'strict', _source: { enabled: false }, properties },
});
