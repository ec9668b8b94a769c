import { entries } from './rules/index.ts';
import type { VocabularyEntry } from './types.ts';

/** Every technology that an observation can contain, sorted by unique slug. */
export const vocabulary: readonly VocabularyEntry[] = entries;
