import { describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../../test/random.ts';
import { refusalOf, refusedBy } from '../../test/refusal.ts';
import { parsedQuery } from '../../test/requests.ts';
import { categories, countries, industries, platformSlugs, technologies, vocabulary } from '../../test/vocabulary.ts';
import { flatForm, whereOfFlat } from './flat.ts';
import { storeQueryOf } from './normalize.ts';

const flatQuery = (query: Record<string, string>) => {
  const flat = flatForm.parse(query);
  return storeQueryOf({ ...whereOfFlat(flat), sort: flat.sort }, vocabulary);
};

/** A parameter of the flat form, and the same in the POST form. */
interface Pair {
  flat: Record<string, string>;
  where: Record<string, unknown>;
}

const slugs = technologies.map(({ slug }) => slug);
const from = '2026-08-01T10:00:00Z';
const to = '2026-10-31T00:00:00Z';

function pairOf(random: Random): Pair {
  const pair: Pair = { flat: {}, where: {} };
  const list = (values: readonly string[]) => random.some(values, 1, 3);
  const valuesOf = (name: string, known: readonly string[]) => {
    const [any, none] = [random.chance(0.3) && list(known), random.chance(0.3) && list(known)];
    if (any) pair.flat[name] = any.join();
    if (none) pair.flat[`${name}_none`] = none.join();
    if (any || none) pair.where[name] = { ...(any && { any }), ...(none && { none }) };
  };
  valuesOf('platform', platformSlugs);
  valuesOf('country', countries);
  valuesOf('industry', industries);
  valuesOf('status', ['closed', 'parked', 'active_storefront']);
  const conditions: Record<string, unknown> = {};
  const clauses: object[] = [];
  const condition = (flat: Record<string, string>, members: object) => {
    if (!random.chance(0.3)) return;
    Object.assign(pair.flat, flat);
    Object.assign(conditions, members);
  };
  const isPositive = random.chance(0.7);
  if (isPositive) {
    condition({ install_state: 'active,inactive' }, { install_state: ['active', 'inactive'] });
    condition({ confidence_min: 'medium' }, { confidence_min: 'medium' });
    condition({ first_observed_from: from, first_observed_to: to }, { first_observed: { from, to } });
    const any = list(slugs);
    pair.flat.technology_any = any.join();
    clauses.push({ any, ...conditions });
    if (random.chance(0.5)) {
      const category = list(categories);
      pair.flat.category_any = category.join();
      clauses.push({ any: { category }, ...conditions });
    }
  }
  if (random.chance(0.4)) {
    const none = list(slugs);
    pair.flat.technology_none = none.join();
    clauses.push({ none });
  }
  if (clauses.length > 0) pair.where.technologies = clauses;
  if (random.chance(0.3)) {
    const any = list(slugs);
    Object.assign(pair.flat, { dropped_any: any.join(), dropped_from: from });
    pair.where.dropped = [{ any, effective: { from } }];
  }
  if (random.chance(0.3)) {
    const [before, after] = [list(platformSlugs), list(platformSlugs)];
    Object.assign(pair.flat, { moved_from_platform: before.join(), moved_to_platform: after.join(), moved_to: to });
    pair.where.moved = { from_platform: before, to_platform: after, effective: { to } };
  }
  if (random.chance(0.3)) {
    Object.assign(pair.flat, { products_min: '10', products_max: '500' });
    pair.where.products = { min: 10, max: 500 };
  }
  if (random.chance(0.3)) {
    Object.assign(pair.flat, { list_any: 'lst_b,lst_a', list_none: 'lst_c' });
    pair.where.list = { any: ['lst_a', 'lst_b'], none: ['lst_c'] };
  }
  return pair;
}

describe('the flat form', () => {
  it('a flat request is the same query as its POST form', () => {
    const random = randomOf(11);
    for (let at = 0; at < 1_000; at++) {
      const { flat, where } = pairOf(random);
      expect(flatQuery({ ...flat, sort: '-product_count' }), JSON.stringify(flat)).toEqual(
        parsedQuery({ where, sort: '-product_count' }),
      );
    }
  });

  it('a flat request names the parameter and the place of a value that does not exist', () => {
    const messageOf = (query: Record<string, string>) => refusedBy(() => flatQuery(query));
    expect(messageOf({ technology_any: 'yotpo,klavio' })).toMatch(/^technology_any\[1\]: .*near ones: klaviyo$/);
    const withCategory = { technology_none: 'yotpo', category_none: 'emial' };
    expect(messageOf(withCategory)).toMatch(/^category_none\[0\]: .*near ones: email$/);
    expect(messageOf({ country_none: 'DE,DX' })).toMatch(/^country_none\[1\]: /);
    expect(messageOf({ moved_to_platform: 'shopfy' })).toMatch(/^moved_to_platform\[0\]: /);
    expect(messageOf({ dropped_any: 'yotpo,x' })).toMatch(/^dropped_any\[1\]: /);
  });

  it.each([
    [{ technology: 'klaviyo' }, ': unknown technology'],
    [{ country: 'DE,de' }, 'country[1]: must be two capital letters'],
    [{ platform: '' }, 'platform[0]: Too small'],
    [{ status: 'open' }, 'status[0]: Invalid option'],
    [{ install_state: 'active' }, 'install_state: must be sent with technology_any, technology_all or category_any'],
    [{ technology_none: 'yotpo', first_observed_to: to }, 'first_observed_to: must be sent with technology_any'],
    [{ dropped_from: from }, 'dropped_from: must be sent with dropped_any'],
    [{ moved_from: to, moved_to: from }, 'moved_to: must be no earlier than moved_from'],
    [{ products_min: '15' }, 'products_min: must be a multiple of 10; the nearest is 20'],
    [{ products_min: 'many' }, 'products_min: must be a whole number from 0'],
    [{ limit: '0' }, 'limit: must be a whole number from 1 to 200'],
  ])('a flat request with a fault is refused with its parameter: %j', (query, refusal) => {
    expect(refusalOf(flatForm, query)).toContain(refusal);
  });

  it('a text that is no number has one fault', () => {
    const { error } = flatForm.safeParse({ products_min: '1e3' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be a whole number from 0 to 10000000']);
  });
});
