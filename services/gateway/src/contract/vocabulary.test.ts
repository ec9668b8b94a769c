import { vocabulary } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import { operations } from '../endpoints/endpoints.ts';
import { storeExample } from '../endpoints/get-store/examples.ts';
import { categories } from '../endpoints/technologies/categories.ts';
import { buildOpenapi } from './openapi.ts';

/** Compares the technologies and categories of the contract with the vocabulary, which profiles serves. */
const bySlug = new Map(vocabulary.map((entry) => [entry.slug, entry]));
const document = buildOpenapi(operations);

type Member = Record<string, unknown>;

/** All values of members named `example` or `examples`. */
function examplesIn(node: unknown): unknown[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'example' || name === 'examples' ? [value] : examplesIn(value),
  );
}

function objectsIn(node: unknown): Member[] {
  if (node === null || typeof node !== 'object') return [];
  const own = Array.isArray(node) ? [] : [node as Member];
  return [...own, ...Object.values(node).flatMap(objectsIn)];
}

/** The differences between the technologies of an example and the vocabulary. */
function faultsOf(example: unknown): string[] {
  const faults: string[] = [];
  const unknown = (slug: unknown) => !bySlug.has(String(slug)) && faults.push(`no technology ${slug}`);
  for (const object of objectsIn(example)) {
    if (typeof object.technology === 'string') unknown(object.technology);
    for (const slug of Array.isArray(object.technologies) ? object.technologies : []) {
      if (typeof slug === 'string') unknown(slug);
    }
    const { platform } = object as { platform?: Member };
    if (typeof platform?.slug === 'string' && bySlug.get(platform.slug)?.kind !== 'platform') {
      faults.push(`${platform.slug} is not a platform`);
    }
    if (typeof object.slug === 'string' && 'category' in object) {
      const entry = bySlug.get(object.slug) as Member | undefined;
      if (!entry) faults.push(`no technology ${object.slug}`);
      for (const name of ['name', 'kind', 'category', 'vendor', 'website']) {
        if (entry && name in object && object[name] !== entry[name]) {
          faults.push(`${object.slug} has ${name} ${entry[name]}, not ${object[name]}`);
        }
      }
    }
  }
  return faults;
}

describe('openapi.json', () => {
  it('openapi.json has only existing technologies, platforms, categories and kinds in its examples', () => {
    const examples = examplesIn(document);
    expect(examples.length).toBeGreaterThan(20);
    // The search finds the examples of stores, technologies, signals and watchlists.
    const text = JSON.stringify(examples);
    for (const part of ['"technologies":["klaviyo"]', '"technology":"klaviyo"', '"listing_url"', '"install_state"']) {
      expect(text).toContain(part);
    }
    expect(examples.flatMap(faultsOf)).toEqual([]);
  });

  it('the comparison of examples with the vocabulary finds a category, platform or technology that does not exist', () => {
    const [technology] = storeExample.technologies;
    const example = { store: { ...storeExample, technologies: [{ ...technology, category: 'email-marketing' }] } };
    expect(faultsOf(example)).toEqual(['klaviyo has category marketing-automation, not email-marketing']);
    expect(faultsOf({ platform: { slug: 'klaviyo' } })).toEqual(['klaviyo is not a platform']);
    expect(faultsOf([{ technology: 'nothing' }])).toEqual(['no technology nothing']);
  });

  it('openapi.json lists every category with its number of technologies in the description of the filter', () => {
    const counted = new Map<string, number>();
    for (const { category } of vocabulary) counted.set(category, (counted.get(category) ?? 0) + 1);
    expect(new Map(categories.map(({ slug, technologies }) => [slug, technologies]))).toEqual(counted);

    const paths = document.paths as Record<string, { get: { parameters: Member[] } }>;
    const parameters = paths['/v1/technologies']?.get.parameters ?? [];
    const description = String(parameters.find(({ name }) => name === 'category')?.description);
    for (const [slug, technologies] of counted) expect(description).toContain(` ${slug} (${technologies})`);
  });
});
