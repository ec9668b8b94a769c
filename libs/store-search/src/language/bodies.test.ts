import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/refusal.ts';
import { countBody, searchBody } from './bodies.ts';

const slugs = (length: number) => Array.from({ length }, (_, at) => `slug-${at}`);

describe('the body of a search', () => {
  it.each([
    [{ filter: {} }, ': unknown filter'],
    [{ where: { platforms: { any: ['shopify'] } } }, 'where: unknown platforms'],
    [{ where: { platform: { some: ['shopify'] } } }, 'where.platform: unknown some'],
    [{ where: { platform: {} } }, 'where.platform: must have any or none'],
    [{ where: { status: { any: ['open'] } } }, 'where.status.any[0]: Invalid option'],
    [{ where: { country: { any: ['DE', 'de'] } } }, 'where.country.any[1]: must be two capital letters'],
    [{ where: { technologies: [{}] } }, 'where.technologies[0]: must have exactly one of all, any or none'],
    [
      { where: { technologies: [{ any: ['a'], none: ['b'] }] } },
      'where.technologies[0]: must have exactly one of all, any or none',
    ],
    [{ where: { technologies: [{ any: ['a', 5] }] } }, 'where.technologies[0].any[1]: Invalid input: expected string'],
    [{ where: { technologies: [{ all: { category: 'email' } }] } }, 'where.technologies[0].all: Invalid input'],
    [{ where: { technologies: [{ any: { group: 'email' } }] } }, 'where.technologies[0].any: unknown group'],
    [
      { where: { technologies: [{ any: { category: 'email', kind: 'app' } }] } },
      'where.technologies[0].any: must have exactly one of category or kind',
    ],
    [{ where: { technologies: [{ any: { kind: 'platform' } }] } }, 'where.technologies[0].any.kind: Invalid option'],
    [
      { where: { technologies: [{ any: ['a'], since_known: false }] } },
      'since_known: must be sent with first_observed',
    ],
    [{ where: { technologies: [{ any: ['a'], first_observed: {} }] } }, 'first_observed: must have from or to'],
    [
      { where: { technologies: [{ any: ['a'], first_observed: { from: '2026-08-01' } }] } },
      'first_observed.from: must be an ISO 8601 time in UTC',
    ],
    [
      { where: { last_completed_scan: { from: '2026-08-02T00:00:00Z', to: '2026-08-01T00:00:00Z' } } },
      'where.last_completed_scan.to: must be no earlier than from',
    ],
    [{ where: { moved: {} } }, 'where.moved: must have from_platform, to_platform or effective'],
    [
      { where: { moved: { from_platform: slugs(15), to_platform: slugs(14) } } },
      'where.moved.to_platform: must have at most 200 pairs with from_platform',
    ],
    [{ where: { products: { min: 104 } } }, 'where.products.min: must be a multiple of 10; the nearest is 100'],
    [{ where: { products: { min: 20, max: 10 } } }, 'where.products.max: must be no less than min'],
    [{ where: { list: { any: ['wl_1'] } } }, 'where.list.any[0]: Invalid string'],
    [{ where: { technologies: [{ any: slugs(21) }] } }, 'where.technologies[0].any: Too big'],
    [{ where: { platform: { any: slugs(51) } } }, 'where.platform.any: Too big'],
    [{ sort: 'name' }, 'sort: Invalid option'],
    [{ limit: 201 }, 'limit: Too big'],
    [{ max_units: { look_ups: 5 } }, 'max_units: unknown look_ups'],
  ])('a body with a fault is refused with its path: %j', (body, refusal) => {
    expect(refusalOf(searchBody, body)).toContain(refusal);
  });

  it('technologies and dropped have at most eight clauses together', () => {
    const clauses = (length: number) => Array.from({ length }, () => ({ any: ['a'] }));
    expect(refusalOf(searchBody, { where: { technologies: clauses(5), dropped: clauses(3) } })).toBeUndefined();
    expect(refusalOf(searchBody, { where: { technologies: clauses(5), dropped: clauses(4) } })).toBe(
      'where.dropped: must have at most 8 clauses together with technologies',
    );
  });

  it('an empty body is a search for all active stores by domain', () => {
    expect(searchBody.parse({})).toEqual({ where: {}, sort: 'domain', view: 'full', limit: 50, cursor: null });
  });

  it('a time means its UTC day, whatever its offset is written as', () => {
    const dayOf = (from: string) => searchBody.parse({ where: { last_completed_scan: { from } } }).where;
    const expected = { last_completed_scan: { from: 20_260_801 } };
    expect(dayOf('2026-08-01T23:59:59.999Z')).toEqual(expected);
    expect(dayOf('2026-08-01T00:00:00+00:00')).toEqual(expected);
  });
});

describe('the body of a count', () => {
  it.each([
    [{ facets: ['countries'] }, 'facets[0]: must be platform, country'],
    [{ facets: ['technology:category='] }, 'facets[0]: must be platform, country'],
    [{ facets: Array.from({ length: 9 }, () => 'country') }, 'facets: Too big'],
    [{ facet_size: 101 }, 'facet_size: Too big'],
    [{ sort: 'domain' }, ': unknown sort'],
  ])('a body with a fault is refused with its path: %j', (body, refusal) => {
    expect(refusalOf(countBody, body)).toContain(refusal);
  });
});
