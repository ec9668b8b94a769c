import { describe, expect, it } from 'vitest';
import { noTexts } from '../../test/support/industry-texts.ts';
import { scoreIndustries } from './industry.ts';
import { industries, neutralPhrases, noGoods, sameWords, wordsOfLanguages } from './taxonomy.ts';

interface Entry {
  slug: string;
  text: string;
  /** The text in small letters without accents. Words with the same key are one word. */
  key: string;
  /** Empty if the word counts in every language. */
  language: string;
  isStrong: boolean;
}

/** Japanese marks are kept, because they make other words. */
const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

function entryOf(slug: string, word: string, isStrong: boolean): Entry {
  const [, language = '', text = word] = /^([a-z]{2}):(.+)$/.exec(word) ?? [];
  return { slug, text, key: keyOf(text), language, isStrong };
}

const entries: readonly Entry[] = [
  ...industries.flatMap(({ slug, strong, weak }) => [
    ...strong.map((word) => entryOf(slug, word, true)),
    ...weak.map((word) => entryOf(slug, word, false)),
  ]),
  ...wordsOfLanguages.flatMap(({ languages, words }) =>
    Object.entries(words).flatMap(([slug, list]) =>
      languages.flatMap((language) => list.map((word) => entryOf(slug, `${language}:${word}`, true))),
    ),
  ),
];
const neutral = neutralPhrases.map((word) => entryOf('', word, false));

const languages = [
  ...new Set([...entries.map(({ language }) => language || 'en'), ...Object.keys(noGoods), ...Object.keys(sameWords)]),
].sort();

/** Whether the word counts on a page in the language. */
const counts = ({ key, language: of }: Entry, language: string): boolean =>
  of ? of === language : !noGoods[sameWords[language] ?? language]?.includes(key);

/** The words that count on a page in the language, with the industries that have each of them. */
function wordsIn(language: string): { counted: Entry[]; industriesOf: Map<string, Set<string>> } {
  const counted = entries.filter((entry) => counts(entry, language));
  const industriesOf = new Map<string, Set<string>>();
  for (const { key, slug } of counted) industriesOf.set(key, (industriesOf.get(key) ?? new Set()).add(slug));
  return { counted, industriesOf };
}

/** Lists of three. The last list repeats words of the one before it. */
const threes = (list: readonly string[]): string[] =>
  list.flatMap((_, at) =>
    at % 3 === 0
      ? [
          list
            .slice(Math.min(at, list.length - 3))
            .slice(0, 3)
            .join(', '),
        ]
      : [],
  );

const found = (language: string, products: string): string[] =>
  scoreIndustries({ ...noTexts, language, products })
    .scores.map(({ slug }) => slug)
    .sort();

describe('table of industries', () => {
  // A word that several industries have in the language is left out here. The next test reads it.
  it.each(languages)('a menu with three strong words of only one industry shows that industry in %s', (language) => {
    const { counted, industriesOf } = wordsIn(language);
    const own = Map.groupBy(
      counted.filter(({ key, isStrong }) => isStrong && industriesOf.get(key)?.size === 1),
      ({ slug }) => slug,
    );
    const wrong = industries.flatMap(({ slug }) =>
      threes([...new Set(own.get(slug)?.map(({ text }) => text))]).flatMap((menus) => {
        const told = scoreIndustries({ ...noTexts, language, menus });
        return told.slug === slug && told.scores.length === 1 ? [] : [`${slug} ${menus}: ${told.slug}`];
      }),
    );
    expect([...own.keys()].sort()).toEqual(industries.map(({ slug }) => slug).sort());
    expect(wrong).toEqual([]);
  });

  it('a word alone shows each industry that has it in the language, and no other one', () => {
    const wrong = languages.flatMap((language) => {
      const { counted, industriesOf } = wordsIn(language);
      return counted
        .filter((entry) => entry.language || language === 'en')
        .map(({ text, key }) => ({ text, told: found(language, text), expected: [...(industriesOf.get(key) ?? [])] }))
        .filter(({ told, expected }) => told.join() !== expected.sort().join())
        .map(({ text, told, expected }) => `${language} ${text}: ${told} instead of ${expected}`);
    });
    expect(wrong).toEqual([]);
  });

  it('a neutral phrase shows no industry in the languages in which it counts', () => {
    const wrong = languages.flatMap((language) => {
      const { industriesOf } = wordsIn(language);
      return neutral
        .filter((phrase) => counts(phrase, language) && !industriesOf.has(phrase.key))
        .filter(({ text }) => found(language, text).length > 0)
        .map(({ text }) => `${language} ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  // A shorter word of the language still counts with an ending: French "cours" in "course".
  it('an everyday word of a language shows only industries that have it or its beginning in that language', () => {
    const ofAll = new Set(entries.filter(({ language }) => !language).map(({ key }) => key));
    const wrong = Object.entries(noGoods).flatMap(([language, list]) => {
      const { counted } = wordsIn(language);
      return list.flatMap((word) => {
        const begun = new Set(counted.filter(({ key }) => word.startsWith(key)).map(({ slug }) => slug));
        const others = found(language, word).filter((slug) => !begun.has(slug));
        return others.length === 0 && ofAll.has(word) ? [] : [`${language} ${word}: ${others}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});
