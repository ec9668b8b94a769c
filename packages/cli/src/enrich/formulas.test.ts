import { withoutFormulas as shared } from '@shopscope/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileText } from '../../../../libs/text/test/hostile-text.ts';
import { withoutFormulas } from './formulas.ts';
import { headerLine, lineOf } from './output.ts';

test('cells of the output have the rule that the files of the dashboard have', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(withoutFormulas(text)).toBe(shared(text));
    }),
    { numRuns: 3_000 },
  );
  for (let code = 0; code <= 0x10ffff; code++) {
    const cell = `${String.fromCodePoint(code)}1`;
    if (withoutFormulas(cell) !== shared(cell)) expect.unreachable(`U+${code.toString(16)}`);
  }
});

test('no cell of a CSV line runs as a formula, and numbers stay numbers', () => {
  const result = {
    input: 'a.example',
    match: 'matched',
    reason: null,
    scan_requested: false,
    scan_job_id: null,
    job: null,
    store: {
      domain: 'a.example',
      name: '＝HYPERLINK("x")',
      platform: { slug: 'custom' },
      status: { state: 'active_storefront' },
      geography: { country: 'DE' },
      industry: { slug: 'food' },
      catalog: { coverage: 'full', product_count: 3, currency: 'EUR', price_range: { median: -1.5 } },
      technologies: [],
      observation: { last_completed_scan_at: '', scope: 'full' },
      profile_url: '',
    },
  } as unknown as Parameters<typeof lineOf>[2];
  const row = { input: 'a.example', cells: ['\u200b=1', '-5', '-5+1', '+49 30', ' ＠x'] };
  const header = ['＋a', 'b', 'c', 'd', 'e'];
  expect(headerLine(header)).toMatch(/^'＋a,b,c,d,e,/);
  expect(lineOf('csv', row, result, header)).toBe(
    `'\u200b=1,-5,'-5+1,'+49 30,' ＠x,matched,,a.example,"'＝HYPERLINK(""x"")",custom,active_storefront,DE,food,3,EUR,-1.5,,,full,,,,\n`,
  );
});
