import sampleSets from '../data/sample-data.rules.json' with { type: 'json' };

/**
 * Products and menus that platforms install as samples. They are not evidence about the goods of a shop that has not replaced them.
 *
 * A shop may sell an iPhone or a beanie. One name is therefore no evidence of samples. A page shows a set if it has {@link minSamples} of
 * its products, each as a whole title, and one of them is a name that no shop gives to goods of its own. A band may sell a "Hoodie with
 * Logo". A page with such a name must therefore have {@link minBesideBranded} samples.
 */
type SampleSet = (typeof sampleSets)[number];

const minSamples = 3;
const minBesideBranded = 6;

/** Replaces the trade mark sign, because the decomposition makes two letters of it: `Helios EverCool™ Tee`. */
const decomposed = (text: string): string => text.replace(/™/g, ' ').normalize('NFKD');

/** Returns the words of a name in lower case, without accents and marks. */
const wordsOf = (text: string): string =>
  decomposed(text)
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const namesOf = (list: readonly string[]): string[] => list.map(wordsOf);

interface Sample {
  set: number;
  /** The number of the set's samples that a page with this one must have. */
  least: number;
}

const samples = new Map<string, Sample[]>();
for (const [set, { products, branded = [], common }] of sampleSets.entries())
  for (const [names, least] of [
    [products, minSamples],
    [branded, minBesideBranded],
    [common, Number.POSITIVE_INFINITY],
  ] as const)
    for (const name of namesOf(names)) samples.set(name, [...(samples.get(name) ?? []), { set, least }]);
/** A quick check. Most titles begin with another word. */
const firstWords = new Set([...samples.keys()].map((name) => name.split(' ', 1)[0]));
const longestName = Math.max(...[...samples.keys()].map(({ length }) => length));

/** Matches names of the set within a text. Addresses have the words of a name without its digits. */
function formOf({ products, branded = [], common, menu }: SampleSet): RegExp {
  const names = [products, branded, common, menu].flatMap(namesOf);
  const forms = new Set(names.flatMap((name) => [name, name.replace(/\d+/g, ' ').replace(/ +/g, ' ').trim()]));
  const longestFirst = [...forms].filter((form) => form.length > 1).sort((one, other) => other.length - one.length);
  const accented = longestFirst.map((form) =>
    form.replace(/[aeu]/g, '$&\u0300?\u0301?\u0302?').replace(/ /g, '[^\\p{L}\\p{N}]{1,3}'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${accented.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const forms: (RegExp | undefined)[] = [];
const formAt = (set: number): RegExp => (forms[set] ??= formOf(sampleSets[set] as SampleSet));

/** Matches a title that a theme has cut: `The adventure begins Framed...`. */
const cutTitle = /(?:\.{3}|…)\s*$/;
const minCutChars = 12;

function samplesOf(title: string): readonly (readonly [name: string, of: readonly Sample[]])[] {
  const name = wordsOf(title);
  const of = samples.get(name);
  if (of) return [[name, of]];
  if (name.length < minCutChars || !cutTitle.test(title)) return [];
  return [...samples].filter(([whole]) => whole.startsWith(name)).slice(0, 1);
}

/** Returns the sets whose samples are among the titles of products. */
export function shownSampleSets(titles: readonly string[]): readonly number[] {
  const shown = sampleSets.map(() => ({ names: new Set<string>(), least: Number.POSITIVE_INFINITY }));
  for (const title of titles) {
    if (title.length < 3 || title.length > longestName * 2) continue;
    if (!firstWords.has(/[a-z\d]+/i.exec(title)?.[0].toLowerCase())) continue;
    for (const [name, of] of samplesOf(title))
      for (const { set, least } of of) {
        const found = shown[set];
        if (!found) continue;
        found.names.add(name);
        found.least = Math.min(found.least, least);
      }
  }
  return [...shown.entries()].filter(([, { names, least }]) => names.size >= least).map(([set]) => set);
}

/** Returns the text without the sets' names of products and categories. */
export const withoutSamples = (text: string, sets: readonly number[]): string =>
  sets.length === 0 ? text : sets.reduce((rest, set) => rest.replace(formAt(set), ' '), decomposed(text));

/**
 * Notices of WooCommerce (`woocommerce_demo_store` in includes/wc-template-functions.php) and of Magento (module-theme demonotice.phtml)
 * that the store is a demonstration.
 */
const demoNotice =
  /this is a demo (?:store|shop)(?: for testing purposes|[.,:–—-]{0,2} (?:any|no) orders (?:placed|will|shall))/i;

export const hasDemoNotice = (visible: string): boolean => demoNotice.test(visible);
