import data from '../data/industries.rules.json' with { type: 'json' };
import languages from '../data/industry-languages.rules.json' with { type: 'json' };

/** Industries with the words of their products; see `data/industries.yaml`. The words of a neutral phrase count for no industry. */
export const { industries, neutral: neutralPhrases } = data;

/** Every industry that an observation can contain, without the unknown one. */
export const industrySlugs: readonly string[] = industries.map(({ slug }) => slug);

/** Additional words of languages; see `data/industry-languages.yaml`. `words` is indexed by the slug of the industry. */
export const wordsOfLanguages: readonly { languages: readonly string[]; words: Words }[] = languages.words;
type Words = Readonly<Record<string, readonly string[]>>;

/** Words without accents that another language uses for goods, but that are everyday words in this language. */
export const noGoods: Words = languages.noGoods;

/** Languages that use the words of another language. */
export const sameWords: Readonly<Record<string, string>> = languages.sameWords;
