import { afterEach, expect, it, vi } from 'vitest';
import { maxImportBytes, maxImportLines, parseMapping, readImportFile } from './import-file.ts';
import { maxReported, planOf } from './import-plan.ts';

afterEach(() => vi.restoreAllMocks());

const readText = (text: string) => readImportFile(Buffer.from(text));
const planOfText = async (text: string) => {
  const file = await readText(text);
  return planOf(file, file.guess);
};
const domainsOf = async (text: string) => (await planOfText(text)).stores.map(({ domain }) => domain);

it('an import finds the columns of domains and ids by their names, and takes each canonical domain once, in the order of the file', async () => {
  const text =
    '\uFEFFOwner;Domain;CRM-ID\r\nx;www.B.example;1\n\n"y\nz";"a.example";\rz;https://c.example/p?q=1; c  3 \n;  d.example  ;\nw;;9';
  const file = await readText(text);
  expect([file.guess, file.header, file.encoding]).toEqual([
    { domain: 1, externalId: 2 },
    ['Owner', 'Domain', 'CRM-ID'],
    'utf-8',
  ]);
  expect(planOf(file, file.guess)).toEqual({
    stores: [
      { domain: 'b.example', external_id: '1' },
      { domain: 'a.example' },
      { domain: 'c.example', external_id: 'c 3' },
      { domain: 'd.example' },
    ],
    bad: { count: 0, lines: [] },
    badIds: { count: 0, lines: [] },
    duplicates: { count: 0, lines: [] },
  });
});

it('an import without a header takes the column with the most domains, and no ids', async () => {
  const { guess } = await readText('Firma;Adresse\nA;a.example\nB;b.example');
  expect(guess).toEqual({ domain: 1, externalId: null });
});

it('an import takes a line of a pasted text up to a comma, a semicolon or a tab', async () => {
  expect(await domainsOf('a.example\nb.example\tx\nc.example;y')).toEqual(['a.example', 'b.example', 'c.example']);
});

it.each([', ', ';', '\t', '|'])(
  'an import takes every domain of a list in one line, divided by %j',
  async (separator) => {
    const domains = ['a.example', 'https://b.example/', 'c.example'];
    expect(await domainsOf(domains.join(separator))).toEqual(['a.example', 'b.example', 'c.example']);
    expect(await domainsOf(['a.example', 'A Ltd'].join(separator))).toEqual(['a.example']);
  },
);

it('an import reports lines without a domain, with a bad id, and repeated domains by their numbers', async () => {
  const long = 'x'.repeat(201);
  const plan = await planOfText(
    `domain,id\na.example,1\nnot a domain,2\nwww.a.example,3\nb.example,${long}\nc.example,a\u202eb`,
  );
  expect(plan).toEqual({
    stores: [{ domain: 'a.example', external_id: '1' }],
    bad: { count: 1, lines: [{ line: 3, text: 'not a domain' }] },
    badIds: {
      count: 2,
      lines: [
        { line: 5, text: 'x'.repeat(60) },
        { line: 6, text: 'a\u202eb' },
      ],
    },
    duplicates: { count: 1, lines: [{ line: 4, text: 'a.example' }] },
  });
});

it('an import has a bounded number of lines, names the first one beyond it, and reports a bounded number of lines', async () => {
  const many = Array.from({ length: maxImportLines }, (_, n) => `shop-${n}.example`).join('\n');
  // Line 1 is the header and line 2 is empty.
  expect((await readText(`domain\n\n${many}\n\n`)).rows).toHaveLength(maxImportLines);
  await expect(readText(`domain\n\n${many}\nnot a domain`)).rejects.toThrow('Split it before line 10,003.');
  const { bad } = await planOfText(`${'x'.repeat(100)}\n`.repeat(1_000));
  expect([bad.count, bad.lines.length, bad.lines[0]?.text.length]).toEqual([1_000, maxReported, 60]);
  await expect(readText('x'.repeat(maxImportBytes + 1))).rejects.toThrow('at most 1 MiB');
  await expect(readText('a,'.repeat(101))).rejects.toThrow('at most 100 columns');
});

it.each([
  ['lines that are no domains', 'a b\n'],
  ['names with foreign letters', 'ä.é\n'],
])('an import of 1 MiB of %s is refused before a line is made canonical', async (_, line) => {
  const normalize = vi.spyOn(globalThis, 'URL');
  const text = line.repeat(Math.floor(maxImportBytes / Buffer.byteLength(line)));
  await expect(readText(text)).rejects.toThrow('at most 10,000 lines');
  expect(normalize).not.toHaveBeenCalled();
});

it('an import refuses a quote that is never closed, and names its line', async () => {
  await expect(readText('a.example,"x\nb.example,y')).rejects.toThrow('A quote is opened and never closed (line 1).');
});

it.each([
  [{ domain: 2, externalId: null }, 'domain_column'],
  [{ domain: -1, externalId: null }, 'domain_column'],
  [{ domain: 0, externalId: 0 }, 'id_column'],
  [{ domain: 0, externalId: 9 }, 'id_column'],
])('the columns %j are refused for a file with two columns', async (mapping, field) => {
  const file = await readText('a.example;1\nb.example;2');
  expect(() => parseMapping(file, mapping)).toThrow(`${field}: `);
});
