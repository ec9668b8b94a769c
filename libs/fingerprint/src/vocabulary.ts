import aliases from './data/aliases.rules.json' with { type: 'json' };
import { entries } from './rules/index.ts';
import type { VocabularyEntry } from './types.ts';

/** Every technology that an observation can contain, sorted by unique slug. */
export const vocabulary: readonly VocabularyEntry[] = entries;

const present = new Map(aliases.map(({ slug, of }) => [slug, of]));

/** Returns the current slug of a product for an earlier one. Any other text is unchanged. */
export const presentSlug = (slug: string): string => present.get(slug) ?? slug;
