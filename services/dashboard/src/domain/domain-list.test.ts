import { expect, it } from 'vitest';
import { listDomainsMax, readDomainList, reportedMax } from './domain-list.ts';

it('takes the first column of each line, and canonical domains once in their order', () => {
  const text = '\uFEFFDomain,Owner\r\nwww.B.example,x\n\n"a.example";y\rhttps://c.example/p?q=1\tz\n  d.example  ';
  expect(readDomainList(text)).toEqual({
    domains: ['b.example', 'a.example', 'c.example', 'd.example'],
    bad: { count: 0, lines: [] },
    duplicates: { count: 0, lines: [] },
    isTooLong: false,
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

it('reads no more domains than its bound, and reports a bounded number of lines', () => {
  const many = Array.from({ length: listDomainsMax }, (_, n) => `shop-${n}.example`).join('\n');
  expect(readDomainList(many)).toMatchObject({ isTooLong: false, domains: { length: listDomainsMax } });
  expect(readDomainList(`${many}\nshop-0.example`).isTooLong).toBe(false);
  expect(readDomainList(`${many}\none-more.example`).isTooLong).toBe(true);
  const bad = readDomainList(`${'x'.repeat(500)}\n`.repeat(1_000)).bad;
  expect([bad.count, bad.lines.length, bad.lines[0]?.text.length]).toEqual([1_000, reportedMax, 60]);
});
