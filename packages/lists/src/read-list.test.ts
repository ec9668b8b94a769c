import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunked, programs, windows1252 } from '../test/programs.ts';
import { type ListOptions, type ListRow, readList } from './read-list.ts';

async function rowsOf(bytes: Uint8Array, options: ListOptions, size?: number) {
  const list = readList(chunked(bytes, size), options);
  const rows: ListRow[] = [];
  for await (const row of list) rows.push(row);
  const { header, column, encoding } = list;
  return { rows, inputs: rows.map(({ input }) => input), header, column, encoding };
}
const table = { shape: 'table' } as const;
const any = { shape: 'any' } as const;
const lines = { shape: 'lines' } as const;

describe.each(Object.entries(programs))('table of %s', (_, write) => {
  it('a table has every cell as it was written, however the bytes arrive', async () => {
    const cell = fc
      .array(fc.constantFrom(...'ab é€ß",;|\t\n\r\'=-.'), { maxLength: 8 })
      .map((characters) => characters.join(''))
      // The shell of PowerShell and old Macs have their own line breaks; a CR alone in a cell would be one of them.
      .map((text) => text.replaceAll('\r', ''));
    const row = fc.tuple(
      fc.integer({ min: 0, max: 999 }).map((n) => `shop-${n}.example`),
      cell,
      cell,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        async (body, size) => {
          const header = [' Website ', 'Firma', 'Größe'];
          const read = await rowsOf(write([header, ...body]), { ...table, column: 'website' }, size);
          expect(read.header).toEqual(header);
          expect(read.rows.map(({ cells }) => cells)).toEqual(body);
          expect(read.inputs).toEqual(body.map(([domain]) => domain));
        },
      ),
      { numRuns: 150 },
    );
  });
});

it.each(['Excel, CSV of a German machine', 'PowerShell 5, >'] as const)(
  '20,000 rows of a table of %s are read',
  async (name) => {
    const body = Array.from({ length: 20_000 }, (_, n) => [`shop-${n}.example`, `Müller & Söhne "${n}"`]);
    const list = readList(chunked(programs[name]([['DOMAIN', 'Name'], ...body])), table);
    let count = 0;
    for await (const { input, cells } of list) {
      if (input !== `shop-${count}.example` || cells?.[1] !== body[count]?.[1]) expect.unreachable(`row ${count}`);
      count += 1;
    }
    expect(count).toBe(20_000);
  },
);

describe('encoding', () => {
  it('the encoding of a list is UTF-8 or Windows-1252 by its first character beyond ASCII, wherever the bytes are cut', async () => {
    for (const size of [1, 2, 3, 5, 1_000]) {
      const utf8 = await rowsOf(Buffer.from('a.example\nmünchen.example\n日本.example\n😀.example'), lines, size);
      expect([utf8.inputs.at(-1), utf8.encoding]).toEqual(['😀.example', 'utf-8']);
      const western = await rowsOf(windows1252('a.example\nmünchen.example\nŠkoda.example é'), lines, size);
      expect([western.inputs, western.encoding]).toEqual([
        ['a.example', 'münchen.example', 'Škoda.example é'],
        'windows-1252',
      ]);
    }
    expect((await rowsOf(Buffer.from('a.example'), lines)).encoding).toBeUndefined();
  });

  it.each([
    'Strauß’ Laden',
    'CAFÉ’S',
    'POKÉ®',
    'MÖ®',
    'MENÜ…',
    'ÄÖÜäöüß',
    'àâçéèêëîïôûùüÿ',
    'ÁÉÍÓÚÑ¿¡',
    '¡¿«»°',
    'jäääär',
    'MAÇÃ®',
  ])('the encoding of %s in a file of Excel is Windows-1252', async (name) => {
    for (const size of [1, 1_000]) {
      const read = await rowsOf(windows1252(`domain;name\r\na.example;${name}\r\nb.example;Müller\r\n`), table, size);
      expect([read.rows[0]?.cells?.[1], read.encoding]).toEqual([name, 'windows-1252']);
    }
  });

  it.each([
    ['Cyrillic (1251)', [0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]],
    ['Greek (1253)', [0xc1, 0xe8, 0xde, 0xed, 0xe1]],
    ['Hebrew (1255)', [0xf9, 0xec, 0xe5, 0xed]],
    ['Chinese (GBK)', [0xc9, 0xcc, 0xb5, 0xea]],
    ['Japanese (Shift_JIS)', [0x83, 0x56, 0x83, 0x87, 0x83, 0x62, 0x83, 0x76]],
    ['UTF-8 behind half a character', [0xa9, 0x78, 0xc3, 0xbc]],
  ])('the encoding of %s is not taken for Windows-1252', async (_, bytes) => {
    const text = Buffer.concat([Buffer.from('domain;name\na.example;'), Buffer.from(bytes), Buffer.from('\n')]);
    for (const size of [1, 3, 1_000]) {
      await expect(rowsOf(text, table, size)).rejects.toThrow('Line 2 is neither UTF-8 nor Windows-1252');
    }
  });

  it('a change of the encoding is told with its line, wherever the bytes are cut', async () => {
    const bytes = Buffer.concat([
      Buffer.from('domain;n\na.example;é€\nb.example;é\nc.example;'),
      Buffer.from([0xc3, 0x0a, 0x78]),
    ]);
    for (let size = 1; size < bytes.length; size++) {
      await expect(rowsOf(bytes, table, size)).rejects.toThrow('Line 4 is not UTF-8');
    }
  });

  it.each([
    [
      'two encodings',
      Buffer.concat([Buffer.from('ä.example\nb.example\n'), windows1252('ö.example\n')]),
      'Line 3 is not UTF-8',
    ],
    [
      'a byte that Windows-1252 lacks',
      Buffer.from('a\n\xe4\x81x', 'latin1'),
      'Line 2 is neither UTF-8 nor Windows-1252',
    ],
    ['UTF-16 without a byte order mark', Buffer.from('a.example\n', 'utf16le'), 'UTF-16 without a byte order mark'],
    ['half a character of UTF-16', Buffer.from('\uFEFFa\ud800', 'utf16le'), 'not UTF-16LE'],
    ['a workbook', Buffer.from('PK\u0003\u0004....'), 'a workbook'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed'],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), 'UTF-32'],
  ])('a list with %s is refused in words', async (_, bytes, words) => {
    for (const size of [1, 3, 1_000]) await expect(rowsOf(bytes, lines, size)).rejects.toThrow(words);
  });
});

describe('column of domains', () => {
  it('the column of domains is found in any case and with any blanks, and an exactly written name counts most', async () => {
    const text = 'Name; WEB  Site ;web site\nx;a.example;b.example';
    expect((await rowsOf(Buffer.from(text), { ...table, column: 'web site' })).inputs).toEqual(['b.example']);
    await expect(rowsOf(Buffer.from(text), { ...table, column: 'Web Site' })).rejects.toThrow(
      'Two columns are called "Web Site".',
    );
  });

  it('the column of domains is the first known one when the caller names none', async () => {
    expect((await rowsOf(Buffer.from('Url\tDomain\nx\ta.example'), table)).inputs).toEqual(['a.example']);
    expect(await rowsOf(Buffer.from('Firma;Webseite\nx;a.example'), any)).toMatchObject({
      inputs: ['a.example'],
      column: 1,
    });
    expect((await rowsOf(Buffer.from('name,company_domain\nx,a.example'), table)).inputs).toEqual(['a.example']);
  });

  it('the column of ids is found by its name, and a missing or repeated one is refused', async () => {
    const options = { ...table, idColumn: 'CRM id' };
    const { rows } = await rowsOf(Buffer.from('domain;crm  ID\na.example; 1 \nb.example;'), options);
    expect(rows.map(({ input, id }) => [input, id])).toEqual([
      ['a.example', '1'],
      ['b.example', ''],
    ]);
    for (const text of ['domain;id\na.example;1', 'domain;crm id;crm id\na.example;1;2']) {
      await expect(rowsOf(Buffer.from(text), options)).rejects.toMatchObject({ reason: 'no_id_column' });
    }
    expect((await rowsOf(Buffer.from('domain\na.example'), table)).rows[0]).not.toHaveProperty('id');
  });

  it('a missing column of domains is named, with those that are there', async () => {
    await expect(rowsOf(Buffer.from('a;b\n1;2'), { ...table, column: 'site' })).rejects.toThrow(
      'There is no column "site": the file has a, b.',
    );
    await expect(rowsOf(Buffer.from('a;b\n1;2'), table)).rejects.toThrow('There is no column of domains');
  });
});

it('a table below blank lines and below the line #TYPE of Windows PowerShell is found, however the bytes arrive', async () => {
  const typed = '#TYPE System.Management.Automation.PSCustomObject\r\n"Name","Domain"\r\n"A","a.example"\r\n';
  for (const size of [1, 2, 7, 1_000]) {
    for (const shape of ['table', 'lines', 'any'] as const) {
      const bytes = Buffer.from(`\uFEFF${typed}`, 'utf16le');
      expect((await rowsOf(bytes, { shape }, size)).rows.map(({ line, input }) => [line, input])).toEqual([
        [3, 'a.example'],
      ]);
    }
    expect((await rowsOf(Buffer.from('\r\n\r\nDomain;Name\r\na.example;x'), table, size)).inputs).toEqual([
      'a.example',
    ]);
  }
});

it('one column that is quoted, as PowerShell writes it, has no quotes in its domains', async () => {
  const bytes = Buffer.from('"Domain"\r\n"a.example"\r\n"b.example"\r\n');
  expect(await rowsOf(bytes, any)).toMatchObject({ header: ['Domain'], inputs: ['a.example', 'b.example'] });
  expect((await rowsOf(bytes, lines)).inputs).toEqual(['Domain', 'a.example', 'b.example']);
});

it('empty cells of a table after the last column of its header are left out', async () => {
  const { rows } = await rowsOf(Buffer.from(';;\r\ndomain;name\r\na.example;x;;\r\nb.example;y\r\n;;;\r\n'), table);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['a.example', 'x'],
    ['b.example', 'y'],
  ]);
});

describe('list of any shape', () => {
  it('a list of any shape has the first column of a table without a known header', async () => {
    const { inputs, header } = await rowsOf(Buffer.from('a.example;"Müller\nSöhne"\nb.example;x;more\n;\n'), any);
    expect([inputs, header]).toEqual([['a.example', 'b.example'], undefined]);
  });

  it('a list of any shape is lines when no separator divides it', async () => {
    const { rows } = await rowsOf(Buffer.from('Domain\r\n\r\n a.example \r\nb.example'), any);
    expect(rows).toEqual([
      { line: 3, input: 'a.example' },
      { line: 4, input: 'b.example' },
    ]);
  });
});

describe('rows', () => {
  it('rows of a list have the number of the line where they begin, even after cells with line breaks and a line with the separator', async () => {
    const text = 'sep=;\r\nname;domain\r\n\r\n"a\r\nb";one.example\r\nc;two.example\r\n';
    const { rows } = await rowsOf(Buffer.from(text), lines);
    expect(rows.map(({ line, input }) => [line, input])).toEqual([
      [4, 'one.example'],
      [6, 'two.example'],
    ]);
  });

  it.each([
    [
      'a quote that stays open',
      'domain,name\na.example,x\nb.example,"y\n',
      'A quote is opened and never closed (line 3).',
    ],
    ['more cells than the header', 'domain,name\na.example,x,y\n', 'A row has more cells than the header (line 2).'],
    [
      'a row beyond the bound',
      `domain,name\na.example,${'x'.repeat(1_000_001)}`,
      'A row is longer than 1,000,000 characters',
    ],
  ])('rows of a list with %s are refused by their line', async (_, text, words) => {
    await expect(rowsOf(Buffer.from(text), table)).rejects.toThrow(words);
  });

  it('a row of a list that is longer than the bound is refused, and the list is read no further', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(65_536, 'x');
    }
    const list = readList(endless(), lines);
    await expect(list[Symbol.asyncIterator]().next()).rejects.toThrow(
      'A row is longer than 1,000,000 characters (line 1).',
    );
  });

  it('rows of a list are returned before the end of the bytes', async () => {
    let isEnded = false;
    async function* slow() {
      yield Buffer.from('domain;x\na.example;1\nb.example;2\n');
      isEnded = true;
    }
    for await (const { input } of readList(slow(), lines)) {
      expect([input, isEnded]).toEqual(['domain;x', false]);
      break;
    }
  });
});
