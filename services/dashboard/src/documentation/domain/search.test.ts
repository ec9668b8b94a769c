import { readFileSync } from 'node:fs';
import { errorCodes } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { readSchema } from './graphql-schema.ts';
import { readGuide } from './guide.ts';
import type { Openapi } from './openapi.ts';
import { familiesOf } from './reference.ts';
import { createSearch } from './search.ts';

const contract = JSON.parse(
  readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Openapi;
const families = familiesOf(contract);
const guide = readGuide(
  'pagination',
  '---\ntitle: Pagination\ndescription: Pages of lists.\norder: 1\nsection: use\n---\nFirst.\n\n## Cursors\n\nOpaque and signed.\n',
);
const schema = readSchema(readFileSync(new URL('../../../../../docs/schema.graphql', import.meta.url), 'utf8'));
const search = createSearch([guide], families, schema);
const first = (question: string) => search(question)[0]?.href;

describe('search of the documentation', () => {
  it.each(families.flatMap((family) => family.operations.map(({ id }) => id)))(
    'the search of the documentation finds the operation %s first',
    (id) => {
      expect(first(id)).toBe(`/docs/reference/${id}`);
    },
  );

  it.each(errorCodes)('the search of the documentation finds the error %s', (code) => {
    expect(search(code).map(({ href }) => href)).toContain(`/docs/errors#${code}`);
  });

  it.each([
    ['install_state', '/docs/reference/listStores#parameter-install_state'],
    ['freshness_days', '/docs/reference/getAccount#200-plan-limits-freshness_days'],
    ['Idempotency-Key', '/docs/reference/enrichStores#parameter-Idempotency-Key'],
  ])('the search of the documentation finds the field %s first', (name, href) => {
    expect(first(name)).toBe(href);
  });

  it('the search of the documentation shows a place once, although an error and a section are about it', () => {
    const errors = readGuide(
      'errors',
      `---\ntitle: Errors\ndescription: All.\norder: 1\nsection: use\n---\n## conflict\n\nText.\n`,
    );
    const hrefs = createSearch([errors], families, schema)('conflict').map(({ href }) => href);
    expect(hrefs.filter((href) => href === '/docs/errors#conflict')).toHaveLength(1);
  });

  it('the search of the documentation finds the section of a guide by its heading and its text', () => {
    expect(first('cursors')).toBe('/docs/pagination#cursors');
    expect(search('opaque signed').map(({ href }) => href)).toContain('/docs/pagination#cursors');
  });

  it('the search of the documentation finds a type of GraphQL and a field of its entry point', () => {
    expect(first('StoreTechnology')).toBe('/docs/graphql/schema#StoreTechnology');
    expect(search('EnrichResult').map(({ href }) => href)).toContain('/docs/graphql/schema#EnrichResult');
    expect(search('Query.history').map(({ href }) => href)).toContain('/docs/graphql/schema#Query.history');
  });

  it('the search of the documentation forgives a typing error and finds the beginning of a word', () => {
    expect(search('cursrs').map(({ href }) => href)).toContain('/docs/pagination#cursors');
    expect(search('freshn').map(({ title }) => title)).toContain('plan.limits.freshness_days');
  });

  it.each([
    '',
    '   ',
    '()[]{}*+?\\',
    '"',
    '\u0000\u202E',
    'constructor __proto__',
    'zzzzqqqq',
    'a '.repeat(5_000),
    '💥'.repeat(500),
  ])('the search of the documentation answers %j with few hits or none', (question) => {
    expect(search(question).length).toBeLessThanOrEqual(40);
  });
});
