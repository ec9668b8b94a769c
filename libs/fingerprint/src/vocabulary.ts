import { entries } from './rules/index.ts';
import type { VocabularyEntry } from './types.ts';

/** Every technology that an observation can name, sorted by slug; slugs are unique. */
export const vocabulary: readonly VocabularyEntry[] = entries;
