import technologies from '../data/technologies.rules.json' with { type: 'json' };
import type { Pattern, Rule } from '../engine/rule.ts';

/**
 * Traces of a technology that the imported data does not have; see `data/README.md`.
 *
 * - `kind`, `category`: only of a technology that no other table has.
 * - No names: another table has them.
 */
export interface OwnTechnology
  extends Partial<Pick<Rule, 'name' | 'kind' | 'category' | 'vendor' | 'website' | 'requires'>> {
  slug: string;
  patterns: Pattern[];
}

export const ownTechnologies = technologies as readonly OwnTechnology[];
