import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Source } from '../../scripts/data/source.ts';
import type { WallRow } from '../../scripts/data/tables/walls.ts';
import { pageOf, withTitle } from '../../test/support/walls.ts';
import { lookAtPage, type PageInput } from '../index.ts';
import { pageKinds } from './page-kinds.ts';

const rows = new Source(fileURLToPath(new URL('../../data/walls', import.meta.url))).value as WallRow[];

const resultOf = (page: PageInput) => {
  const { seen, failure } = lookAtPage(page);
  return failure ? { fails: failure.code } : { status: seen.status.state };
};
const named = rows.map((row) => [row.kind, row.by ?? 'anybody', row] as const);

describe('rows of the walls', () => {
  it.each(named)('a row of the walls recognizes its sample: %s of %s', (kind, by, row) => {
    const page = pageOf(row);
    const { what: _, ...result } = pageKinds[kind];
    expect(resultOf(page)).toEqual(result);
    if (by !== 'anybody' && 'fails' in result) expect(lookAtPage(page).failure?.message).toContain(by);
  });

  it.each(named)('a row of the walls recognizes its sample with the title of a shop, too: %s of %s', (kind, _, row) => {
    const { what: __, ...result } = pageKinds[kind];
    expect(resultOf(withTitle(pageOf(row), 'Northwind Tea – fine teas'))).toEqual(result);
  });

  it.each(rows.filter(({ headers }) => headers).map((row) => [row.by, row] as const))(
    'a row of the walls recognizes its headers, whatever the page has: %s',
    (_, { kind, headers = {} }) => {
      const values = Object.fromEntries(
        Object.entries(headers).map(([name, pattern]) => [name, /challenge/.test(pattern) ? 'challenge' : '1']),
      );
      const html = `<title>Tea</title><h1>Tea</h1>${'<p>Fine teas. <a href="/green">Green</a> $5.00</p>'.repeat(50)}`;
      const page = { url: 'https://shop.example/', status: 200, html, headers: values };
      expect(resultOf(page)).toEqual({ fails: 'fails' in pageKinds[kind] ? pageKinds[kind].fails : '' });
      expect(resultOf({ ...page, headers: {} })).toEqual({ status: 'not_a_storefront' });
    },
  );
});
