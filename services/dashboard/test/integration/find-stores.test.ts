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
const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());

describe('Find stores without script', () => {
  it('a query in the URL is counted for free, with facets that lead to narrower queries and a masked sample', async () => {
    const { member, base } = await startWorkspace();
    const html = await (await member.get(`${base}?c1=klaviyo&country=DE`)).text();
    const text = textOf(html);
    expect(text).toMatch(/60 stores State of .* Such as st[*]+\.example/);
    expect(text).toContain('This bills up to 50 cached look-ups, one for each row.');
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
    const first = await (await member.submit(path, { intent: 'rows', token })).text();
    expect(textOf(first)).toMatch(/Billed 50 cached look-ups/);
    expect(first.match(/stores\?domain=store-\d\d\.example/g)).toHaveLength(50);
    const again = await read(await member.submit(path, { intent: 'rows', token, cursor: '', columns: 'industry' }));
    expect([again.includes('Home garden'), again.includes('Germany Last scan')]).toEqual([true, false]);
    expect(rowsSearched() - before).toBe(1);

    const cursor = hiddenIn(first).find(([name, value]) => name === 'cursor' && value !== '')?.[1] as string;
    const next = await read(await member.submit(path, { intent: 'rows', token: `${token}-next`, cursor }));
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
});
