import { clauseNumbers, isMember, type StoreFilter } from './store-filter.ts';

const renamed: Readonly<Record<string, string>> = {
  'moved.from_platform': 'moved_from',
  'moved.to_platform': 'moved_to',
  'moved.effective': 'moved_since',
  'moved.effective.from': 'moved_since',
  'moved.effective.to': 'moved_until',
  'products.min': 'products_min',
  'products.max': 'products_max',
  products: 'products_min',
  'last_completed_scan.from': 'scanned_from',
};

/** The field of the form for a path of the API, such as `where.technologies[0].any[1]`; undefined if it has none. */
export function fieldOf(filter: StoreFilter, path: string): string | undefined {
  const [, member = ''] = /^where\.(.*)$/.exec(path) ?? [];
  const [, list = '', index = '', more = ''] = /^(technologies|dropped)\[(\d+)\]\.?(.*)$/.exec(member) ?? [];
  if (list !== '') {
    const n = clauseNumbers(filter, list === 'dropped')[Number(index)];
    if (n === undefined) return undefined;
    const [, end = ''] = /^(?:first_observed|effective)\.(from|to)$/.exec(more) ?? [];
    return end === '' ? `c${n}` : `c${n}_${end}`;
  }
  const [first = ''] = member.split(/[.[]/);
  const plain = member.replaceAll(/\[\d+\]/g, '');
  return renamed[plain] ?? (isMember(first) ? first : undefined);
}
