import { canonicalJson } from '@shopscope/text';
import { describe, expect, it } from 'vitest';
import { randomQuery } from '../../test/queries.ts';
import { randomOf } from '../../test/random.ts';
import { refusedBy } from '../../test/refusal.ts';
import { parsedQuery } from '../../test/requests.ts';
import { appliedWhere } from './applied-where.ts';

const whereOf = (where: object) => parsedQuery({ where });

describe('storeQueryOf', () => {
  it.each([
    [{ technologies: [{ any: ['yotpo', 'klavio'] }] }, 'where.technologies[0].any[1]', 'near ones: klaviyo'],
    [
      { technologies: [{ any: ['klaviyo'] }, { none: { category: 'emial' } }] },
      'where.technologies[1].none.category',
      'near ones: email',
    ],
    [
      { technologies: [{ any: { category: ['email', 'review'] } }] },
      'where.technologies[0].any.category[1]',
      'near ones: reviews',
    ],
    [{ dropped: [{ any: ['yotbo'] }] }, 'where.dropped[0].any[0]', 'near ones: yotpo'],
    [{ platform: { none: ['shopfy'] } }, 'where.platform.none[0]', 'near ones: shopify'],
    [{ moved: { to_platform: ['klaviyo'] } }, 'where.moved.to_platform[0]', 'not "klaviyo"'],
    [{ country: { any: ['DX'] } }, 'where.country.any[0]', 'near ones: DE'],
    [{ industry: { any: ['beauti'] } }, 'where.industry.any[0]', 'near ones: beauty'],
  ])('a value that does not exist is refused with its path and near values: %j', (where, path, near) => {
    const message = refusedBy(() => whereOf(where));
    expect(message.startsWith(`${path}: must be a value that exists, not "`)).toBe(true);
    expect(message).toContain(near);
  });

  it('a platform among technologies is refused, because no profile lists it there', () => {
    expect(refusedBy(() => whereOf({ technologies: [{ any: ['shopify'] }] }))).toBe(
      'where.technologies[0].any[0]: must be a technology, not the platform shopify; where.platform and where.moved take platforms',
    );
  });

  it('an earlier slug of a product is its present one', () => {
    expect(whereOf({ technologies: [{ any: ['klaviyo-old'] }] })).toEqual(
      whereOf({ technologies: [{ any: ['klaviyo'] }] }),
    );
  });

  it('requests that differ in order and repetitions are one query', () => {
    const one = { technologies: [{ any: ['yotpo', 'klaviyo', 'yotpo'] }, { none: { category: ['themes'] } }] };
    const other = {
      technologies: [{ none: { category: 'themes' } }, { any: ['klaviyo', 'yotpo'] }, { any: ['yotpo', 'klaviyo'] }],
      status: { any: ['active_storefront'] },
    };
    expect(canonicalJson(whereOf(one))).toBe(canonicalJson(whereOf(other)));
  });

  it('the where that an answer repeats is the same query when it is sent again', () => {
    const random = randomOf(5);
    for (let at = 0; at < 1_000; at++) {
      const query = parsedQuery(randomQuery(random));
      const where = appliedWhere(query);
      expect(parsedQuery({ where, sort: query.sort })).toEqual(query);
      expect('dropped' in where).toBe(query.where.dropped.length > 0);
    }
  });

  it('the where that an answer repeats has the defaults and whole days', () => {
    const first_observed = { from: '2026-08-01T17:30:00Z' };
    expect(appliedWhere(whereOf({ technologies: [{ any: { category: 'email' }, first_observed }] }))).toEqual({
      status: { any: ['active_storefront'] },
      technologies: [
        { any: { category: ['email'] }, first_observed: { from: '2026-08-01T00:00:00.000Z' }, since_known: true },
      ],
    });
  });
});
