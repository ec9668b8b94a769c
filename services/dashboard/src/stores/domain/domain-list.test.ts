import { afterEach, expect, it, vi } from 'vitest';
import { maxListBytes, maxListLines, maxReported, readDomainList } from './domain-list.ts';

afterEach(() => vi.restoreAllMocks());

const readText = (text: string) => readDomainList(Buffer.from(text));

it('readDomainList takes the column of domains, and canonical domains once in their order', async () => {
  const text =
    '\uFEFFOwner;Domain\r\nx;www.B.example\n\n"y\nz";"a.example"\rz;https://c.example/p?q=1\n;  d.example  \nw;';
  expect(await readText(text)).toEqual({
    domains: ['b.example', 'a.example', 'c.example', 'd.example'],
    bad: { count: 0, lines: [] },
    duplicates: { count: 0, lines: [] },
    encoding: 'utf-8',
  });
});

it('readDomainList takes a line of a pasted text up to a comma, a semicolon or a tab', async () => {
  expect((await readText('a.example\nb.example\tx\nc.example;y')).domains).toEqual([
    'a.example',
    'b.example',
    'c.example',
  ]);
});

it.each([', ', ';', '\t', '|'])(
  'readDomainList takes every domain of a list in one line, divided by %j',
  async (separator) => {
    expect((await readText(['a.example', 'https://b.example/', 'c.example'].join(separator))).domains).toEqual([
      'a.example',
      'b.example',
      'c.example',
    ]);
    expect((await readText(['a.example', 'A Ltd'].join(separator))).domains).toEqual(['a.example']);
  },
);

it('readDomainList reports lines without a domain and repeated domains by their numbers', async () => {
  const list = await readText('a.example\nnot a domain\nwww.a.example\n127.0.0.1\ndomain');
  expect(list.domains).toEqual(['a.example']);
  expect(list.bad).toEqual({
    count: 3,
    lines: [
      { line: 2, text: 'not a domain' },
      { line: 4, text: '127.0.0.1' },
      { line: 5, text: 'domain' },
    ],
  });
  expect(list.duplicates).toEqual({ count: 1, lines: [3] });
});

it('readDomainList reads no more lines than its bound, names the first one beyond it, and reports a bounded number of lines', async () => {
  const many = Array.from({ length: maxListLines }, (_, n) => `shop-${n}.example`).join('\n');
  const whole = await readText(`domain\n\n${many}\n\n`);
  expect([whole.domains.length, whole.tooLongAtLine]).toEqual([maxListLines, undefined]);
  // Line 1 is the header and line 2 is empty.
  expect((await readText(`domain\n\n${many}\nnot a domain`)).tooLongAtLine).toBe(maxListLines + 3);
  const { bad } = await readText(`${'x'.repeat(500)}\n`.repeat(1_000));
  expect([bad.count, bad.lines.length, bad.lines[0]?.text.length]).toEqual([1_000, maxReported, 60]);
});

it.each([
  ['lines that are no domains', 'a b\n'],
  ['names with foreign letters', 'ä.é\n'],
  ['single letters', 'a\n'],
])('readDomainList makes no line of 1 MiB of %s canonical', async (_, line) => {
  const normalize = vi.spyOn(globalThis, 'URL');
  const { domains, bad, tooLongAtLine } = await readText(line.repeat(maxListBytes / line.length));
  expect([domains, bad.count, tooLongAtLine]).toEqual([[], 0, maxListLines + 1]);
  expect(normalize).not.toHaveBeenCalled();
});

it('readDomainList reads a line that is longer than every domain like a short one', async () => {
  const list = await readText(`${'x'.repeat(900_000)}\na.example\tb`);
  expect([list.domains, list.bad.count, list.bad.lines[0]?.line]).toEqual([['a.example'], 1, 1]);
});

it('readDomainList refuses a quote that stays open by its line', async () => {
  await expect(readText('a.example,"x\nb.example,y')).rejects.toThrow('A quote is opened and never closed (line 1).');
});
