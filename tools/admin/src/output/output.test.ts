import { describe, expect, it } from 'vitest';
import { jsonOf, page, single } from './output.ts';
import { table } from './table.ts';

describe('text output', () => {
  it('the text output aligns columns, even with wide characters, without trailing blanks', () => {
    expect(
      table([
        ['id', 'name', ''],
        ['ws_1', '東京', 'x'],
        ['ws_22', 'Acme', 'y'],
      ]),
    ).toEqual(['id     name', 'ws_1   東京  x', 'ws_22  Acme  y']);
  });

  it('the text output shows what could control the terminal, and isolates text from right to left', () => {
    const hostile = 'ci\u001b[2K\u001b[1A\u009b7m\u202egnp\nkey_2  revoked';
    const { text, json } = page([{ label: hostile, id: 'key_1' }], { columns: ['label', 'id'], empty: '' });
    const shown = 'ci\\u{1b}[2K\\u{1b}[1A\\u{9b}7m\\u{202e}gnp\\u{a}key_2  revoked';
    expect(text).toBe(`label${' '.repeat(shown.length - 3)}id\n${shown}  key_1\n`);
    const printed = jsonOf({ json, text });
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(printed)).toEqual(json);
    expect(single({ detail: 'שלום → متجر' }).text).toBe('detail  \u2068שלום\u2069 → \u2068متجر\u2069\n');
    expect(single({ name: 'שלום', id: 'ws_1' }).text).toBe('name  \u2068שלום\u2069\nid    ws_1\n');
  });

  it('the text output shows one object as name and value lines, with dotted names and a dash for absent values', () => {
    const { text, json } = single({ id: 'a', limits: { rpm: 0 }, scopes: ['x', 'y'], none: [], expires_at: null });
    expect(text).toBe('id          a\nlimits.rpm  0\nscopes      x, y\nnone        -\nexpires_at  -\n');
    expect(json).toEqual({ id: 'a', limits: { rpm: 0 }, scopes: ['x', 'y'], none: [], expires_at: null });
  });

  it('the text output shows a page as a table, with the option for the next page', () => {
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
