import type { Visitor } from '@shopscope/browser/visitor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { hiddenIn, read, textOf, tokenIn } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

let system: TestSystem;
let gateway: TestGateway;

beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system, { withLists: true });
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await system?.stop();
});

async function startWorkspace() {
  const world = await startStoresWorkspace(system);
  return { ...world, base: `${world.home}/find` };
}

const rowsSearched = () => gateway.searches.filter(({ kind }) => kind === 'rows').length;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
/** The hidden fields of the form with this button. */
const fieldsOf = (html: string, button: string): Record<string, string> => {
  const form = html.split('<form').find((part) => part.split('</form>')[0]?.includes(`>${button}<`));
  return Object.fromEntries(hiddenIn(form?.split('</form>')[0] ?? ''));
};
const usedOf = async (workspaceId: string) => (await system.clients.metering.getUsage({ workspaceId })).balance?.used;
const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());

describe('Find stores without script', () => {
  it('a query in the URL is counted for free, with facets that lead to narrower queries and a masked sample', async () => {
    const { member, base } = await startWorkspace();
    const html = await (await member.get(`${base}?c1=klaviyo&country=DE`)).text();
    const text = textOf(html);
    expect(text).toMatch(/60 stores State of .* Such as st[*]+\.example/);
    expect(text).toContain('Show 50 stores This bills up to 50 cached look-ups, one look-up for each row.');
    expect(text).toContain('250,000 of 250,000 cached look-ups are left');
    expect(html).toMatch(/href="[^"]*\?c1=klaviyo&amp;country=DE&amp;platform=shopify"/);
    expect(rowsSearched()).toBe(0);
  });

  it('a form sends its empty fields, and the address has only the filled ones', async () => {
    const { member, base } = await startWorkspace();
    const response = await member.get(`${base}?c1=klaviyo&c1_has=&platform=&clauses=2`);
    expect([response.status, response.headers.get('location')]).toEqual([302, `${base}?c1=klaviyo&clauses=2`]);
    const html = await (await member.get(`${base}?c1=klaviyo&clauses=2`)).text();
    expect([html.includes('name="c2"'), html.includes('name="c3"')]).toEqual([true, false]);
  });

  it('a value that does not exist is named at its field with near values', async () => {
    const { member, base } = await startWorkspace();
    const html = await (await member.get(`${base}?c2=klavyo&country=DE`)).text();
    expect(/<input[^>]*name="c2"[^>]*>/.exec(html)?.[0]).toContain('aria-invalid="true"');
    expect(textOf(html)).toMatch(/not &quot;klavyo&quot;; near ones: klaviyo/);
  });

  it('rows bill one look-up each once: the same form, also with other columns, gets the same rows for free', async () => {
    const { member, base } = await startWorkspace();
    const path = `${base}?country=DE`;
    const token = await tokenOf(member, path);
    const before = rowsSearched();
    const first = await (await member.submit(path, { intent: 'rows', token, limit: '50' })).text();
    expect(textOf(first)).toMatch(/Billed 50 cached look-ups/);
    expect(first.match(/stores\?domain=store-\d\d\.example/g)).toHaveLength(50);
    const again = await read(
      await member.submit(path, { intent: 'rows', token, limit: '50', cursor: '', columns: 'industry' }),
    );
    expect([again.includes('Home garden'), again.includes('Germany Last scan')]).toEqual([true, false]);
    expect(rowsSearched() - before).toBe(1);

    const cursor = hiddenIn(first).find(([name, value]) => name === 'cursor' && value !== '')?.[1] as string;
    const next = await read(await member.submit(path, { intent: 'rows', token: `${token}-next`, limit: '50', cursor }));
    expect(next).toMatch(/store-59\.example .*Billed 10 cached look-ups|Billed 10 cached look-ups .*store-59\.example/);
    expect(next).not.toContain('Next stores');
  });

  it('a query of changes is counted only after the person has agreed to its history query', async () => {
    const { member, base } = await startWorkspace();
    const path = `${base}?c1=yotpo-reviews&c1_has=dropped`;
    const before = gateway.searches.length;
    const html = await (await member.get(path)).text();
    expect(textOf(html)).toContain('Counting it bills 1 history query, so it is not counted while you type.');
    expect(gateway.searches.length).toBe(before);
    const form = { intent: 'count', token: tokenIn(html) };
    expect(await read(await member.submit(path, form))).toContain('60 stores');
    expect(await read(await member.submit(path, form))).toContain('60 stores');
    expect(gateway.searches.length).toBe(before + 1);
  });

  it('rows, their columns and their next page leave the billed count and the export on the page, and bill no further count', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const path = `${base}?c1=yotpo-reviews&c1_has=dropped`;
    const counted = await (await member.submit(path, { intent: 'count', token: await tokenOf(member, path) })).text();
    const asked = gateway.searches.length;
    const fields = { ...fieldsOf(counted, 'Show 50 stores'), intent: 'rows' };
    const rows = await (await member.submit(path, fields)).text();
    const columns = { ...fieldsOf(rows, 'Show these columns'), intent: 'rows', columns: 'industry' };
    const next = { ...fieldsOf(rows, 'Next stores'), intent: 'rows' };
    const pages = [rows];
    for (const form of [columns, next]) pages.push(await (await member.submit(path, form)).text());
    for (const [n, page] of pages.entries()) {
      expect([n, textOf(page)]).toEqual([n, expect.stringMatching(/ 60 stores State of .* Export 60 stores /)]);
      expect(page).toContain(n < 2 ? 'store-49.example' : 'store-59.example');
    }
    expect(gateway.searches.slice(asked).map(({ kind }) => kind)).toEqual(['rows', 'rows']);
    await expect.poll(() => usedOf(workspaceId)).toMatchObject({ lookupCached: 60, historyQuery: 3 });
  });

  it('a count, and a form that fails, leave the rows on the page, and bill them no second time', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const path = `${base}?c1=yotpo-reviews&c1_has=dropped`;
    const token = await tokenOf(member, path);
    const rows = await (await member.submit(path, { intent: 'rows', token, limit: '50', columns: 'industry' })).text();
    const counted = await (await member.submit(path, { ...fieldsOf(rows, 'Count'), intent: 'count' })).text();
    const unnamed = await (await member.submit(path, { ...fieldsOf(counted, 'Save as list'), name: ' ' })).text();
    for (const page of [counted, unnamed]) {
      expect(textOf(page)).toMatch(/60 stores State of .*store-49\.example/);
      expect(textOf(page)).toContain('Home garden');
    }
    expect(/<input[^>]*name="name"[^>]*>/.exec(unnamed)?.[0]).toContain('aria-invalid="true"');
    await expect.poll(() => usedOf(workspaceId)).toMatchObject({ lookupCached: 50, historyQuery: 2 });
  });

  it('the button says how many stores come, and there is none without a store', async () => {
    const { member, base } = await startWorkspace();
    const few = textOf(await (await member.get(`${base}?country=AT`)).text());
    expect(few).toContain('Show 5 stores This bills up to 5 cached look-ups, one look-up for each row.');
    const none = textOf(await (await member.get(`${base}?country=FR`)).text());
    expect(none).toContain('0 stores');
    expect(none).not.toMatch(/Show|Export/);
  });

  it('rows are saved as a list, once for a form that is sent twice', async () => {
    const { member, base, home } = await startWorkspace();
    const form = {
      intent: 'save',
      token: 'a-token-of-a-form',
      name: 'Klaviyo in Germany',
      domains: 'a.example b.example',
    };
    const places = [await member.submit(base, form), await member.submit(base, form)].map((response) => [
      response.status,
      response.headers.get('location'),
    ]);
    expect(places[0]).toEqual([302, expect.stringMatching(/\/lists\/lst_\w+$/)]);
    expect(places[1]).toEqual(places[0]);
    const list = await read(await member.get(String(places[0]?.[1])));
    for (const text of ['Klaviyo in Germany', 'a.example', 'b.example']) expect(list).toContain(text);
    expect((await read(await member.get(`${home}/lists`))).match(/Klaviyo in Germany/g)).toHaveLength(1);
  });

  it('a query of lists, which are chosen by their names, is counted by the API when the person asks for it', async () => {
    const { member, base } = await startWorkspace();
    const saved = { intent: 'save', token: 'a-token-of-a-form', name: 'Our customers', domains: 'a.example' };
    const place = (await member.submit(base, saved)).headers.get('location');
    const list = place?.split('/').at(-1);
    const path = `${base}?list=${list}&list_is=none`;
    const before = gateway.searches.length;
    const html = await (await member.get(path)).text();
    expect(/<input[^>]*name="list"[^>]*>/.exec(html)?.[0]).toMatch(
      new RegExp(`checked.*value="${list}"|value="${list}".*checked`),
    );
    expect(textOf(html)).toMatch(/Our customers 1 store .*counting it bills nothing/);
    expect(gateway.searches.length).toBe(before);
    expect(await read(await member.submit(path, { intent: 'count', token: tokenIn(html) }))).toContain(
      'about 60 stores',
    );
  });
});

describe('counts while a person types', () => {
  const pages = (member: Visitor, base: string, products: readonly number[]) =>
    Promise.all(products.map(async (min) => read(await member.get(`${base}?country=DE&products_min=${min}0`))));

  it('counts are no requests of the API, so they leave its rate to rows', async () => {
    const quotas = undefined;
    const included = { lookupCached: 100, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const limits = { rpm: 6, concurrency: 5, enrichBatchMax: 100, freshnessDays: 30, historyDays: 30 };
    await system.clients.keys.createPlan({
      actor: 'test',
      plan: { ...limits, slug: 'six_requests', included, quotas },
    });
    const { member, home } = await startStoresWorkspace(system, 'six_requests');
    const base = `${home}/find`;
    for (const first of [1, 9]) {
      const counted = await pages(
        member,
        base,
        upTo(8).map((n) => first + n),
      );
      for (const page of counted) expect(page).toContain('60 stores');
    }
    const token = await tokenOf(member, base);
    expect(await read(await member.submit(base, { intent: 'rows', token, limit: '50' }))).toContain('Billed 50');
  });

  it('a person has 60 counts a minute, and the other people of the workspace have their own', async () => {
    const { member, admin, base } = await startWorkspace();
    for (let done = 0; done < 56; done += 8)
      await pages(
        member,
        base,
        upTo(8).map((n) => done + n),
      );
    const last = await pages(
      member,
      base,
      upTo(8).map((n) => 100 + n),
    );
    const counted = last.filter((page) => page.includes('60 stores'));
    const refused = last.filter((page) => /too many attempts\. Try again in \d+ seconds/.test(page));
    expect([counted.length, refused.length]).toEqual([4, 4]);
    expect((await pages(admin, base, [200]))[0]).toContain('60 stores');
  });
});

describe('exports of stores', () => {
  const stateOf = async (member: Visitor, job: string) =>
    ((await (await member.get(`${job}/status`)).json()) as { job: { state: string } }).job.state;

  it('an export shows its price before it starts, starts once, and its page has the file, its parts and a list of its stores', async () => {
    const { member, base } = await startWorkspace();
    const path = `${base}?country=DE`;
    const html = await (await member.get(path)).text();
    expect(textOf(html)).toContain('Export 60 stores This bills up to 60 cached look-ups, one look-up for each row.');
    const form = { intent: 'export', token: tokenIn(html), file: 'hubspot', rows: '60' };
    const job = (await member.submit(path, form)).headers.get('location') as string;
    expect(job).toMatch(/\/jobs\/job_u\w+$/);
    expect((await member.submit(path, form)).headers.get('location')).toBe(job);
    await expect.poll(() => stateOf(member, job)).toBe('succeeded');
    const page = await read(await member.get(job));
    for (const text of ['Export of 60 stores', 'Billed 60 cached look-ups', 'Part 1 Rows 60', 'Download the file'])
      expect(page).toContain(text);

    const file = await member.get(`${job}/export`);
    expect(file.headers.get('content-disposition')).toMatch(/filename="job_u\w+\.csv"$/);
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([
      61,
      'Company name,Company domain name,Website URL,Country/Region,Description',
    ]);
    const part = await member.get(`${job}/parts/1`);
    expect((await part.text()).trimEnd().split('\r\n')).toEqual(lines);
    expect((await member.get(`${job}/parts/2`)).status).toBe(404);

    const sent = { intent: 'save', name: 'Exported', token: 'a-token-of-a-form' };
    const check = (await member.submit(job, sent)).headers.get('location') as string;
    expect(check).toMatch(/\/lists\/imports\/[\w-]+$/);
    expect(await read(await member.get(check))).toMatch(/Exported .*60 stores/);
  });

  it('an export of NDJSON has whole profiles, and becomes a list, too', async () => {
    const { member, base } = await startWorkspace();
    const path = `${base}?country=AT`;
    const form = { intent: 'export', token: await tokenOf(member, path), file: 'ndjson', rows: '5' };
    const job = (await member.submit(path, form)).headers.get('location') as string;
    await expect.poll(() => stateOf(member, job)).toBe('succeeded');
    const file = await member.get(`${job}/export`);
    expect(file.headers.get('content-disposition')).toMatch(/\.ndjson"$/);
    const rows = (await file.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ store }) => store.domain)).toEqual(upTo(5).map((n) => `store-0${n - 1}.example`));
    const sent = { intent: 'save', name: 'Lines', token: 'a-token-of-a-form' };
    const check = (await member.submit(job, sent)).headers.get('location') as string;
    expect(await read(await member.get(check))).toMatch(/Lines .*5 stores/);
  });

  it('an export that would bill more than its page has shown is refused', async () => {
    const { member, base } = await startWorkspace();
    const path = `${base}?country=DE`;
    const form = { intent: 'export', token: await tokenOf(member, path), file: 'csv', rows: '59' };
    const refused = await member.submit(path, form);
    expect([refused.status, await read(refused)]).toEqual([400, expect.stringContaining('max_rows: must be at least')]);
  });
});
