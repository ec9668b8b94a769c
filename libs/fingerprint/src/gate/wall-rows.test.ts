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

describe('each row of the walls', () => {
  it.each(named)('%s of %s tells its sample', (kind, by, row) => {
    const page = pageOf(row);
    const { what: _, ...result } = pageKinds[kind];
    expect(resultOf(page)).toEqual(result);
    if (by !== 'anybody' && 'fails' in result) expect(lookAtPage(page).failure?.message).toContain(by);
  });

  it.each(named)('%s of %s tells its sample with the title of a shop, too', (kind, _, row) => {
    const { what: __, ...result } = pageKinds[kind];
    expect(resultOf(withTitle(pageOf(row), 'Northwind Tea – fine teas'))).toEqual(result);
  });

  it.each(rows.filter(({ headers }) => headers).map((row) => [row.by, row] as const))(
    '%s tells by its headers, whatever the page has',
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
