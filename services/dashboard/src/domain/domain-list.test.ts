import { afterEach, expect, it, vi } from 'vitest';
import { listBytesMax, listLinesMax, readDomainList, reportedMax } from './domain-list.ts';

afterEach(() => vi.restoreAllMocks());

it('takes the first column of each line, and canonical domains once in their order', () => {
  const text = '\uFEFFDomain,Owner\r\nwww.B.example,x\n\n"a.example";y\rhttps://c.example/p?q=1\tz\n  d.example  ';
  expect(readDomainList(text)).toEqual({
    domains: ['b.example', 'a.example', 'c.example', 'd.example'],
    bad: { count: 0, lines: [] },
    duplicates: { count: 0, lines: [] },
  });
});

it('reports lines without a domain and repeated domains by their numbers', () => {
  const list = readDomainList('a.example\nnot a domain\nwww.a.example\n127.0.0.1\ndomain');
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

it('reads no more lines than its bound, names the first one beyond it, and reports a bounded number of lines', () => {
  const many = Array.from({ length: listLinesMax }, (_, n) => `shop-${n}.example`).join('\n');
  const whole = readDomainList(`domain\n\n${many}\n\n`);
  expect([whole.domains.length, whole.tooLongAtLine]).toEqual([listLinesMax, undefined]);
  // Line 1 is the header and line 2 is empty.
  expect(readDomainList(`domain\n\n${many}\nnot a domain`).tooLongAtLine).toBe(listLinesMax + 3);
  const { bad } = readDomainList(`${'x'.repeat(500)}\n`.repeat(1_000));
  expect([bad.count, bad.lines.length, bad.lines[0]?.text.length]).toEqual([1_000, reportedMax, 60]);
});

it.each([
  ['lines that are no domains', 'a b\n'],
  ['names with foreign letters', 'ä.é\n'],
  ['single letters', 'a\n'],
])('makes no line of 1 MiB of %s canonical', (_, line) => {
  const normalize = vi.spyOn(globalThis, 'URL');
  const { domains, bad, tooLongAtLine } = readDomainList(line.repeat(listBytesMax / line.length));
  expect([domains, bad.count, tooLongAtLine]).toEqual([[], 0, listLinesMax + 1]);
  expect(normalize).not.toHaveBeenCalled();
});

it('reads a row that is longer than every domain like a short one', () => {
  const list = readDomainList(`"${'x'.repeat(listBytesMax)}\na.example,${'y'.repeat(10_000)}`);
  expect([list.domains, list.bad.count, list.bad.lines[0]?.line]).toEqual([['a.example'], 1, 1]);
});
