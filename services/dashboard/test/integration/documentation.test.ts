import { readFileSync } from 'node:fs';
import { errorCodes } from '@shopscope/errors';
import { isNightly } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchorOfField, type Field } from '../../src/documentation/domain/fields.ts';
import { readSchema } from '../../src/documentation/domain/graphql-schema.ts';
import type { Openapi } from '../../src/documentation/domain/openapi.ts';
import { familiesOf } from '../../src/documentation/domain/reference.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** The rendered documentation against the contract. The pages are the same with and without script. */
const contract = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as Openapi;
const families = familiesOf(contract);
const operations = families.flatMap((family) => family.operations);
/** By day, the links of the first operation of each family stand for those of the others. */
const operationsByDay = families.flatMap(({ operations: [first] }) => (first ? [first.id] : []));
const operationsOfNight = new Set(operations.map(({ id }) => id).filter((id) => !operationsByDay.includes(id)));
const isOfNight = (path: string) => operationsOfNight.has(/^\/docs\/reference\/(\w+)(?:\.md)?$/.exec(path)?.[1] ?? '');
const apiUrl = 'https://api.documentation.test';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ PUBLIC_API_URL: apiUrl });
});
afterAll(async () => {
  await system?.stop();
});

const pages = new Map<string, string>();
const get = (path: string, headers: Record<string, string> = {}) => system.anonymous().request(path, { headers });
async function page(path: string): Promise<string> {
  const known = pages.get(path);
  if (known !== undefined) return known;
  const response = await get(path);
  expect([path, response.status]).toEqual([path, 200]);
  const text = await response.text();
  pages.set(path, text);
  return text;
}
/** The ids of a page, which many links of other pages name. */
const idsOfPages = new Map<string, Set<string>>();
async function idsOf(path: string): Promise<Set<string>> {
  const ids = idsOfPages.get(path) ?? idsIn(await page(path));
  idsOfPages.set(path, ids);
  return ids;
}
const idsIn = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id as string));
const hrefsIn = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const anchorsOf = (part: string, fields: readonly Field[]): string[] =>
  fields.flatMap((field) => [anchorOfField(part, field.path), ...anchorsOf(part, field.fields)]);

describe('reference', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'the reference shows %s whole: its facts, parameters, members, values, headers, errors and examples',
    async (id, operation) => {
      const html = await page(`/docs/reference/${id}`);
      const { method, path, scope, billing, isServed, parameters, body, successes, errors } = operation;
      const text = textOf(html);
      for (const fact of [method, path, billing, ...(scope ? [scope] : [])]) expect(text).toContain(fact);
      expect(text.includes('It answers 501')).toBe(!isServed);
      const anchors = [
        ...anchorsOf('parameter', parameters),
        ...anchorsOf('body', body?.fields ?? []),
        ...successes.flatMap((each) => anchorsOf(`${each.status}`, each.fields)),
        ...successes.flatMap((each) => anchorsOf(`${each.status}-header`, each.headers)),
        ...errors.map(({ status, code }) => `error-${status}-${code}`),
      ];
      const ids = idsIn(html);
      expect(anchors.filter((anchor) => !ids.has(anchor))).toEqual([]);
      // An anchor that exists twice leads to the first one only.
      expect([...html.matchAll(/\sid="([^"]+)"/g)]).toHaveLength(ids.size);
      for (const { code, meaning, examples } of errors) {
        expect(html).toContain(`href="/docs/errors#${code}"`);
        for (const part of [meaning, ...examples.map((each) => JSON.stringify(each, null, 2))])
          expect(text).toContain(part);
      }
      for (const { example } of successes)
        if (example !== undefined) expect(text).toContain(JSON.stringify(example, null, 2));
      for (const sample of [`curl`, apiUrl + path.split('{')[0], 'TypeScript', 'Python'])
        expect(text).toContain(sample);
    },
  );

  it('the reference has an index that leads to every operation and says which are announced', async () => {
    const html = await page('/docs/reference');
    for (const { id } of operations) expect(html).toContain(`href="/docs/reference/${id}"`);
    const announced = operations.filter(({ isServed }) => !isServed);
    expect([...html.matchAll(/>announced</g)]).toHaveLength(announced.length);
  });

  it('the reference of an operation that the contract lacks is a 404', async () => {
    expect((await get('/docs/reference/getNothing')).status).toBe(404);
    expect((await get('/docs/reference/getNothing.md')).status).toBe(404);
    expect((await get('/docs/reference/getstore')).status).toBe(404);
  });
});

describe('guides', () => {
  it('the guide of errors has an anchor for every code', async () => {
    const ids = idsIn(await page('/docs/errors'));
    expect(errorCodes.filter((code) => !ids.has(code))).toEqual([]);
  });

  it('the guides are in the contents, one after the other, each with the address of this API', async () => {
    const landing = await page('/docs');
    const slugs = [...new Set(hrefsIn(landing).flatMap((href) => /^\/docs\/([\w-]+)$/.exec(href)?.[1] ?? []))];
    const guides = slugs.filter((slug) => slug !== 'reference' && slug !== 'search');
    expect(guides).toContain('first-call');
    for (const [n, slug] of guides.entries()) {
      const html = await page(`/docs/${slug}`);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).not.toMatch(/127\.0\.0\.1:8080|api\.shopscope\.example/);
      expect(/rel="next"/.test(html)).toBe(n < guides.length - 1);
    }
    expect(await page('/docs/first-call')).toContain(`SHOPSCOPE_BASE_URL=${apiUrl}`);
  });

  it('the guides lead to nothing that is not there: every link of every page, with its anchor', async () => {
    const waiting = new Set(['/docs', '/llms.txt']);
    const dead: string[] = [];
    for (const path of waiting) {
      const text = await page(path);
      const found =
        path.endsWith('.txt') || path.endsWith('.md')
          ? [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target.replace(system.url, ''))
          : hrefsIn(text);
      for (const href of new Set(found)) {
        const [target = '', anchor] = href.split('#');
        const at = target === '' ? path : target;
        if (!at.startsWith('/docs') && at !== '/llms.txt') continue;
        // Other tests read the page of each operation.
        if (isNightly || !isOfNight(at)) waiting.add(at);
        // Only pages have anchors.
        if (anchor && !/\.\w+$/.test(at) && !(await idsOf(at)).has(anchor)) dead.push(`${href}, from ${path}`);
      }
    }
    expect(dead).toEqual([]);
    const followed = isNightly ? operations.map(({ id }) => id) : operationsByDay;
    const unread = followed.flatMap((id) => [`/docs/reference/${id}`, `/docs/reference/${id}.md`]);
    expect(unread.filter((path) => !waiting.has(path))).toEqual([]);
  });
});

describe('files of the documentation', () => {
  it('schema.graphql is the schema of GraphQL, as text that needs no script', async () => {
    const file = readFileSync(new URL('../../../../docs/schema.graphql', import.meta.url), 'utf8');
    expect(await page('/docs/schema.graphql')).toBe(file);
    expect(await page('/docs/graphql')).toContain('href="/docs/graphql/schema"');
  });

  it('the page of the schema has every type and field with an anchor, and every link on it leads to one', async () => {
    const html = await page('/docs/graphql/schema');
    const ids = idsIn(html);
    const { types } = readSchema(readFileSync(new URL('../../../../docs/schema.graphql', import.meta.url), 'utf8'));
    for (const { name, fields } of types) {
      expect([name, ids.has(name)]).toEqual([name, true]);
      expect(fields.filter((field) => !ids.has(`${name}.${field.name}`))).toEqual([]);
    }
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id as string))).toEqual([]);
    expect(html).toContain('href="/docs/schema.graphql"');
    expect(await page('/docs/search?q=EnrichResult')).toContain('href="/docs/graphql/schema#EnrichResult"');
  });

  it('openapi.json is the contract with the address of this API', async () => {
    const served = JSON.parse(await page('/docs/openapi.json')) as Openapi;
    expect(served.servers.map(({ url }) => url)).toEqual([apiUrl]);
    expect({ ...served, servers: [] }).toEqual({ ...contract, servers: [] });
  });

  it('the collection of requests has every served operation, at the address of this API, without a key', async () => {
    interface Item {
      name: string;
      request?: { method: string; url: { raw: string } };
      item?: Item[];
    }
    const collection = JSON.parse(await page('/docs/shopscope.postman_collection.json')) as Item & {
      variable: { key: string; value: string }[];
    };
    const requests = (items: Item[]): string[] =>
      items.flatMap(({ request, item }) => [
        ...(request ? [`${request.method} ${request.url.raw.replace('{{baseUrl}}', '')}`] : []),
        ...requests(item ?? []),
      ]);
    const served = operations.filter(({ isServed }) => isServed);
    expect(requests(collection.item ?? []).toSorted()).toEqual(
      served.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`).toSorted(),
    );
    expect(Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))).toEqual({
      baseUrl: apiUrl,
      apiKey: '',
    });
  });

  it('each page of the documentation exists as Markdown, and llms.txt leads to all of them', async () => {
    const contents = await page('/llms.txt');
    for (const { id, method, path } of operations) {
      expect(contents).toContain(`${system.url}/docs/reference/${id}.md`);
      expect(await page(`/docs/reference/${id}.md`)).toContain(`\`${method} ${path}\``);
    }
    const { headers } = await get('/docs/reference/getStore.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(contents).toContain(`${system.url}/docs/first-call.md`);
    expect(await page('/docs/first-call.md')).toMatch(/^# /);
  });
});

describe('search of the documentation', () => {
  it('the search of the documentation finds guides, operations, fields and errors without script, and is not indexed', async () => {
    const html = await page('/docs/search?q=rate_limited');
    expect(html).toContain('href="/docs/errors#rate_limited"');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(await page('/docs/search?q=install_state')).toContain('#200-store-technologies-install_state"');
    expect(await page('/docs/search?q=getStore')).toContain('href="/docs/reference/getStore"');
    expect(await page('/docs/search?q=idempotency')).toMatch(/href="\/docs\/[\w-]+#/);
  });

  it('the search of the documentation says when nothing matches, and asks when there is no question', async () => {
    expect(textOf(await page('/docs/search?q=zzzzqqqq'))).toContain('Nothing matches “zzzzqqqq”');
    expect(await page('/docs/search')).toContain('<h1');
  });

  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '\u202Eevil\u0000',
    '%',
    'a'.repeat(5_000),
    '__proto__ constructor',
    '../../etc/passwd',
  ])('the search of the documentation shows %j as harmless, bounded text', async (question) => {
    const response = await get(`/docs/search?q=${encodeURIComponent(question)}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const part of ['<img src=x', 'alert(1)</script>', '\u202E', '\u0000']) expect(html).not.toContain(part);
    expect([...html.matchAll(/<script\b/g)]).toHaveLength(1);
    expect(html.length).toBeLessThan(120_000);
  });
});

describe('pages of the documentation', () => {
  it.each([
    '/docs',
    '/docs/first-call',
    '/docs/reference',
    '/docs/reference/enrichStores',
    '/docs/graphql/schema',
    '/docs/search?q=key',
  ])('%s has one file of script, an entity tag, and the strict policy', async (path) => {
    const response = await get(path);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect([...html.matchAll(/<script\b/g)]).toHaveLength(1);
    expect(html).not.toMatch(/\son[a-z]+=|javascript:|<[^>]+\sstyle=/i);
    expect(html.length).toBeLessThan(512 * 1024);
    const etag = response.headers.get('etag') ?? '';
    const known = await get(path, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await system.anonymous().request(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it.each([
    ['/Docs/First-Call', '/docs/first-call'],
    ['/docs/reference/', '/docs/reference'],
    ['/docs/Reference/getStore', '/docs/reference/getStore'],
  ])('the path %s is redirected permanently to %s', async (path, place) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([301, system.url + place]);
  });

  it.each(['/docs/no-such-guide', '/docs/no-such-guide.md', '/docs/reference/a/b'])(
    '%s is not a page',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
    },
  );
});
