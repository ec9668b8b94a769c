import { z } from 'zod';
import { maxClauses, maxGroups, maxPlatformPairs, maxProducts, maxSlugs, maxValues } from './bounds.ts';
import { atLeastOne, atMostPairs, exactlyOne, inOrder, inSteps, onlyWith } from './checks.ts';
import { sentDay } from './days.ts';
import { confidence, country, installState, kind, listId, slug, status } from './values.ts';

/**
 * The schema of `where`. Its members are ANDed. It is strict: an unknown member or value of a closed set is an issue with its path. Whether a
 * slug, category, country or industry exists is decided by `storeQueryOf`, which knows the vocabulary.
 */

const listOf = <Item extends z.ZodType>(item: Item, max: number) => z.array(item).min(1).max(max);

/** The store has one of `any`, and none of `none`. */
const valuesOf = <Item extends z.ZodType>(item: Item, description: string) =>
  z
    .strictObject({
      any: listOf(item, maxValues).optional().describe('The store has one of these values'),
      none: listOf(item, maxValues).optional().describe('The store has none of these values'),
    })
    .check(atLeastOne(['any', 'none']))
    .describe(description);

const days = (description: string) =>
  z
    .strictObject({
      from: sentDay('First day, inclusive.').optional(),
      to: sentDay('Last day, inclusive.').optional(),
    })
    .check(atLeastOne(['from', 'to']), inOrder('from', 'to'))
    .describe(description);

const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, listOf(item, maxGroups)]);

const group = z
  .strictObject({
    category: oneOrMore(slug()).optional().describe('Technologies of this category, or of one of these'),
    kind: oneOrMore(kind()).optional().describe('Technologies of this kind, or of one of these'),
  })
  .check(exactlyOne(['category', 'kind']));

const slugs = () => listOf(slug(), maxSlugs);
const slugsOrGroup = () => z.union([slugs(), group]);

const quantifiers = {
  all: slugs().optional().describe('The store has each of these technologies'),
  any: slugsOrGroup().optional().describe('The store has one of these technologies, or one of the category or kind'),
  none: slugsOrGroup().optional().describe('The store has none of these technologies, or none of the category or kind'),
};
const quantified = exactlyOne(Object.keys(quantifiers));

const technologyClause = z
  .strictObject({
    ...quantifiers,
    install_state: listOf(installState(), 3).optional().describe('The technology is in one of these states'),
    confidence_min: confidence().optional().describe('The technology is detected with at least this confidence'),
    first_observed: days('When a scan saw the technology first').optional(),
    since_known: z
      .boolean()
      .optional()
      .describe(
        'Default true: `first_observed` does not match technologies that the first scan of the store saw, because they may be older. false: it matches them by the day of that scan',
      ),
  })
  .check(quantified, onlyWith('since_known', ['first_observed']))
  .describe('All conditions hold for one and the same technology');

const droppedClause = z
  .strictObject({ ...quantifiers, effective: days('When a scan missed the technology first').optional() })
  .check(quantified)
  .describe('A confirmed removal of a technology that the store does not have now');

const platforms = () => listOf(slug(), maxValues).optional();
const moved = z
  .strictObject({
    from_platform: platforms().describe('The platform before'),
    to_platform: platforms().describe('The platform after'),
    effective: days('When a scan saw the new platform first').optional(),
  })
  .check(
    atLeastOne(['from_platform', 'to_platform', 'effective']),
    atMostPairs(maxPlatformPairs, 'from_platform', 'to_platform'),
  )
  .describe('A confirmed change of the platform');

const productCount = () => z.int().min(0).max(maxProducts).check(inSteps).optional();
const products = z
  .strictObject({ min: productCount(), max: productCount() })
  .check(atLeastOne(['min', 'max']), inOrder('min', 'max', 'no less'))
  .describe('Products of the catalogue. A store whose catalogue was not seen has no number');

export const where = z
  .strictObject({
    platform: valuesOf(slug(), 'Platform of the store; `custom` for a shop on no known platform').optional(),
    country: valuesOf(country(), 'Country of the store; `ZZ` when it is not known').optional(),
    industry: valuesOf(slug(), 'Industry of the store; `unclassified` when it is not known').optional(),
    status: valuesOf(status(), 'Status of the store; by default only active_storefront').optional(),
    technologies: z.array(technologyClause).max(maxClauses).optional().describe('Technologies of the profile'),
    dropped: z.array(droppedClause).max(maxClauses).optional().describe('Needs the scope read:signals too'),
    moved: moved.optional().describe('Needs the scope read:signals too'),
    products: products.optional(),
    last_completed_scan: days('When the last scan of the store ended').optional(),
    list: valuesOf(listId(), 'Lists of the workspace. Needs the scope read:watchlists too').optional(),
  })
  .check(({ value, issues }) => {
    const clauses = (value.technologies?.length ?? 0) + (value.dropped?.length ?? 0);
    if (clauses <= maxClauses) return;
    const message = `must have at most ${maxClauses} clauses together with technologies`;
    issues.push({ code: 'custom', path: ['dropped'], message, input: value });
  });

/** A `where` that the schema has parsed. Its times are days. */
export type Where = z.output<typeof where>;
export type TechnologyClause = z.output<typeof technologyClause>;
export type DroppedClause = z.output<typeof droppedClause>;
export type Group = z.output<typeof group>;
