import data from '../data/industries.rules.json' with { type: 'json' };
import languages from '../data/industry-languages.rules.json' with { type: 'json' };

/** Industries with the words of their products; see `data/industries.yaml`. The words of a neutral phrase count for no industry. */
export const { industries, neutral: neutralPhrases } = data;

/** What languages need besides; see `data/industry-languages.yaml`. `words`: by the slug of the industry. */
export const wordsOfLanguages: readonly { languages: readonly string[]; words: Words }[] = languages.words;
type Words = Readonly<Record<string, readonly string[]>>;

/** Words that another language has for goods and that are everyday words in this one, without their accents. */
export const noGoods: Words = languages.noGoods;

/** Languages with the words of another. */
export const sameWords: Readonly<Record<string, string>> = languages.sameWords;
