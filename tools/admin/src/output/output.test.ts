import { describe, expect, it } from 'vitest';
import { page, single } from './output.ts';
import { table } from './table.ts';

describe('the text output', () => {
  it('aligns columns, also with wide characters, without trailing blanks', () => {
    expect(
      table([
        ['id', 'name', ''],
        ['ws_1', '東京', 'x'],
        ['ws_22', 'Acme', 'y'],
      ]),
    ).toEqual(['id     name', 'ws_1   東京  x', 'ws_22  Acme  y']);
  });

  it('shows one object as name and value lines, with dotted names and a dash for absent values', () => {
    const { text, json } = single({ id: 'a', limits: { rpm: 0 }, scopes: ['x', 'y'], none: [], expires_at: null });
    expect(text).toBe('id          a\nlimits.rpm  0\nscopes      x, y\nnone        -\nexpires_at  -\n');
    expect(json).toEqual({ id: 'a', limits: { rpm: 0 }, scopes: ['x', 'y'], none: [], expires_at: null });
  });

  it('shows a page as a table, with the option for the next page', () => {
    const options = { columns: ['id', 'plan.slug'], empty: 'Nothing.', next: { cursor: 'b', option: 'after' } };
    const items = [{ id: 'a', plan: { slug: 'free' } }, { id: 'b' }];
    expect(page(items, options)).toEqual({
      json: { data: items, next_cursor: 'b' },
      text: 'id  plan.slug\na   free\nb   -\n\nThere may be more: add --after b\n',
    });
    expect(page([], { columns: [], empty: 'Nothing.' })).toEqual({
      json: { data: [], next_cursor: null },
      text: 'Nothing.\n',
    });
  });
});
