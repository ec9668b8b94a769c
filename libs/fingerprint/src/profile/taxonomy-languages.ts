import data from '../data/industry-languages.rules.json' with { type: 'json' };

/** What one language needs besides the words of the taxonomy; see `data/industry-languages.yaml`. */
interface WordsOfLanguages {
  languages: readonly string[];
  /** By the slug of the industry. */
  words: Readonly<Record<string, readonly string[]>>;
}

export const wordsOfLanguages: readonly WordsOfLanguages[] = data.words;

/** Words that another language has for goods and that are everyday words in this one, without their accents. */
export const noGoods: Readonly<Record<string, readonly string[]>> = data.noGoods;

/** Languages with the words of another. */
export const sameWords: Readonly<Record<string, string>> = data.sameWords;
