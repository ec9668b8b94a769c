import { confidences, installStates, storeStates } from '@shopscope/proto';
import { sorts, technologyKinds } from '../src/language/values.ts';
import { randomTime } from './corpus.ts';
import type { SentWhere } from './model.ts';
import type { Random } from './random.ts';
import { categories, countries, industries, platformSlugs, technologies } from './vocabulary.ts';

/** Random requests, as callers send them. */
export interface SentQuery {
  where: SentWhere;
  sort: (typeof sorts)[number];
}

const slugs = technologies.map(({ slug }) => slug);

const maybe = (random: Random, probability: number, members: () => object): object =>
  random.chance(probability) ? members() : {};

function range(random: Random): { from?: string; to?: string } {
  const [first, second] = [randomTime(random), randomTime(random)].sort((a, b) => a - b) as [number, number];
  const [from, to] = [new Date(first).toISOString(), new Date(second).toISOString()];
  return random.oneOf([{ from }, { to }, { from, to }]);
}

function values(random: Random, known: readonly string[]) {
  const any = random.some(known, 1, 3);
  const none = random.some(known, 1, 2);
  return random.oneOf([{ any }, { none }, { any, none }]);
}

function selection(random: Random) {
  const bySlug = random.some(slugs, 1, 3);
  const category = random.chance(0.5) ? random.oneOf(categories) : random.some(categories, 1, 2);
  return random.oneOf([bySlug, bySlug, { category }, { kind: random.oneOf(technologyKinds) }]);
}

const quantified = (random: Random): object =>
  random.oneOf([
    { all: random.some(slugs, 1, 2) },
    { any: selection(random) },
    { any: selection(random) },
    { none: selection(random) },
  ]);

const technologyClause = (random: Random): object => ({
  ...quantified(random),
  ...maybe(random, 0.4, () => ({ install_state: random.some(installStates, 1, 2) })),
  ...maybe(random, 0.4, () => ({ confidence_min: random.oneOf(confidences) })),
  ...maybe(random, 0.4, () => ({
    first_observed: range(random),
    ...maybe(random, 0.5, () => ({ since_known: random.chance(0.5) })),
  })),
});

const droppedClause = (random: Random): object => ({
  ...quantified(random),
  ...maybe(random, 0.6, () => ({ effective: range(random) })),
});

function moved(random: Random): object {
  const [from, to] = [random.some(platformSlugs, 1, 2), random.some(platformSlugs, 1, 2)];
  const effective = range(random);
  const ends = random.oneOf([
    { from_platform: from },
    { to_platform: to },
    { from_platform: from, to_platform: to },
    {},
  ]);
  return Object.keys(ends).length === 0 || random.chance(0.5) ? { ...ends, effective } : ends;
}

function products(random: Random): object {
  const [min, max] = [random.below(5) * 10, 40 + random.below(3) * 10];
  return random.oneOf([{ min }, { max }, { min, max }]);
}

export function randomQuery(random: Random): SentQuery {
  const clauses = random.oneOf([0, 1, 1, 1, 2, 3]);
  const where = {
    ...maybe(random, 0.2, () => ({ platform: values(random, platformSlugs) })),
    ...maybe(random, 0.2, () => ({ country: values(random, countries) })),
    ...maybe(random, 0.2, () => ({ industry: values(random, industries) })),
    ...maybe(random, 0.3, () => ({ status: values(random, storeStates) })),
    ...(clauses > 0 && { technologies: Array.from({ length: clauses }, () => technologyClause(random)) }),
    ...maybe(random, 0.3, () => ({ dropped: [droppedClause(random)] })),
    ...maybe(random, 0.2, () => ({ moved: moved(random) })),
    ...maybe(random, 0.2, () => ({ products: products(random) })),
    ...maybe(random, 0.2, () => ({ last_completed_scan: range(random) })),
    ...maybe(random, 0.2, () => ({ list: values(random, ['lst_a', 'lst_b', 'lst_c']) })),
  };
  return { where, sort: random.oneOf(sorts) };
}
