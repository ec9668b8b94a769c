import { expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import { testStore } from '../../../test/integration/support/store.ts';
import { csv, ndjson } from './job-exports.ts';

const result = (domain: string, more: object = {}) => ({
  domain,
  external_id: null,
  input: domain,
  match: 'no_match',
  reason: 'not_in_corpus',
  scan_requested: false,
  scan_job_id: null,
  store: null,
  ...more,
});

/** Dependencies whose gateway sends this text in parts of this many characters. */
function depsOf(text: string, size: number) {
  const paths: string[] = [];
  async function* parts() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const file = async ({ path }: { path: string }) => {
    paths.push(path);
    return { type: 'application/x-ndjson', text: parts() };
  };
  return { ...withDashboardKeys(['s'], { gateway: { file } as never }), paths };
}

const textOf = async (parts: AsyncIterable<string>) => (await Array.fromAsync(parts)).join('');
const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

it('an export as CSV has one row per result, with the external id, and no cell is a formula', async () => {
  const name = '=HYPERLINK("http://evil.example")';
  const text = linesOf([
    result('a.example', { external_id: '+1', match: 'matched', reason: null, store: testStore('a.example', { name }) }),
    result('b.example'),
    result('c.example', { match: 'error', reason: 'allowance_exhausted' }),
    result('d.example', { match: 'stale', reason: null, store: { ...testStore('d.example'), platform: 7 } }),
  ]);
  for (const size of [1, 7, 100_000]) {
    const { deps, paths } = depsOf(text, size);
    const lines = (await textOf(await csv(deps, keyVisit, 'job_u1'))).split('\r\n');
    expect(paths).toEqual(['/v1/jobs/job_u1/results']);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^domain,external_id,result,reason,name,/);
    expect(lines[1]).toMatch(
      /^a\.example,'\+1,matched,,"'=HYPERLINK\(""http:\/\/evil\.example""\)",active_storefront,Shopify,DE/,
    );
    expect(lines[2]).toBe('b.example,,no_match,not_in_corpus,,,,,,,,,,');
    expect(lines[3]).toBe('c.example,,error,allowance_exhausted,,,,,,,,,,');
    expect(lines[4]).toBe('d.example,,unreadable,,,,,,,,,,,');
  }
});

it('an export as NDJSON has the bytes of the API', async () => {
  const text = linesOf([result('a.example', { store: { price: 39.9 } })]).replace('39.9', '39.90');
  const { deps } = depsOf(text, 10);
  expect(await textOf(await ndjson(deps, keyVisit, 'job_u1'))).toBe(text);
});

it('an export as CSV whose last result is cut ends with an error', async () => {
  const { deps } = depsOf(linesOf([result('a.example'), result('b.example')]).slice(0, -5), 50);
  await expect(textOf(await csv(deps, keyVisit, 'job_u1'))).rejects.toThrow('the last result of the API is cut');
});

it('an export as CSV keeps at most one line of 1 MiB in memory', async () => {
  const { deps } = depsOf('x'.repeat(3 * 1024 * 1024), 64 * 1024);
  await expect(textOf(await csv(deps, keyVisit, 'job_u1'))).rejects.toThrow('a result of the API is too long');
});
