import type { Listing } from '../catalog/listing.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import type { StoreObservation } from '../types.ts';
import type { OwnHost } from './own-host.ts';
import { industries, neutralPhrases } from './taxonomy.ts';

/**
 * Classifies a store by words of its own name, its products, title, description and menus.
 *
 * 1. Each source counts the words of each industry. A repeated word counts less each time.
 * 2. A source gives each industry a part of its weight: the count of the industry, divided by the count of all plus a
 *    constant. So a source with few words says little, and a long menu cannot outvote the products.
 * 3. The industry with the highest sum wins. Without {@link leastScore} and {@link leastMargin} the store stays
 *    `unclassified`.
 */
const strongWeight = 3;
const weakWeight = 1;
const smoothing = 5;
const leastScore = 1.4;
const leastMargin = 0.15;

/** Weights of the sources. An article is about its topic, so only the name and the menus of its site count in full. */
const sourceWeights = {
  name: 4,
  products: 5,
  title: 4,
  description: 2.5,
  menus: 2.5,
  headings: 2,
  paths: 2,
  kinds: 4,
} as const;
/** Words of the page of an article or of a book are words of its topic. */
const articleShare = 0.3;

/** Industries that one shop often has together. The first of a group stands for all. */
const nearIndustries: readonly (readonly string[])[] = [
  ['apparel', 'shoes', 'bags-and-luggage', 'jewelry-and-watches'],
  ['beauty', 'health'],
  ['food', 'beverages'],
  ['sports-and-fitness', 'outdoor-and-hunting'],
  ['home-and-furniture', 'kitchen-and-appliances'],
  ['electronics', 'computers-and-software'],
];

type Source = keyof typeof sourceWeights;
const ofArticle: ReadonlySet<Source> = new Set<Source>(['products', 'title', 'description', 'headings']);
export type IndustryTexts = Readonly<Record<Source, string>> & {
  readonly language: string;
  readonly isArticle: boolean;
};

interface Word {
  industry: number;
  weight: number;
  language: string;
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

const ofIndustries = industries.flatMap(({ strong, weak }, industry) =>
  [
    ...strong.map((word) => ({ word, weight: strongWeight })),
    ...weak.map((word) => ({ word, weight: weakWeight })),
  ].map(({ word, weight }) => {
    const [, language = '', text = word] = /^([a-z]{2}):(.+)$/.exec(word) ?? [];
    return { text: fold(text), industry, weight, language };
  }),
);
const vocabulary = [
  ...ofIndustries,
  ...neutralPhrases.map((word) => ({ text: fold(word), industry: -1, weight: 0, language: '' })),
];

interface Stem {
  text: string;
  /** These scripts write words without spaces, so the stem counts anywhere. */
  unspaced: boolean;
  /** One stem may belong to several industries. */
  meanings: readonly Word[];
}

const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const prefixChars = 3;
const shortWordChars = 5;
const maxRepetitions = 12;

/** Stems by their first three characters; shorter stems by all of them. */
const stems = new Map<string, Stem[]>();
for (const [text, meanings] of Map.groupBy(vocabulary, ({ text }) => text)) {
  const key = text.slice(0, prefixChars);
  // Several languages may have the same word for one industry.
  const distinct = [
    ...new Map(meanings.toReversed().map((word) => [`${word.industry} ${word.language}`, word])).values(),
  ];
  stems.set(key, [...(stems.get(key) ?? []), { text, unspaced: unspacedScript.test(text), meanings: distinct }]);
}

/** Hashes of the first two characters of the stems. Most words of a page start no stem. */
const starts = new Uint8Array(65_536);
const hashOf = (first: number, second: number): number => (first * 251 + second) & 65_535;
for (const { text } of vocabulary) starts[hashOf(text.charCodeAt(0), text.charCodeAt(1) || 0)] = 1;

/** Whether a stem may start at `at`. A stem may have one character. */
const mayStart = (text: string, at: number): boolean =>
  starts[hashOf(text.charCodeAt(at), text.charCodeAt(at + 1) || 0)] === 1 ||
  starts[hashOf(text.charCodeAt(at), 0)] === 1;

const isLetter = (code: number): boolean =>
  code < 128
    ? (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    : /[\p{L}\p{N}]/u.test(String.fromCharCode(code));

/** Endings of nouns by language, without their accents. A short word counts with one of them. */
const endings = new Map(
  (
    [
      ['pl cs sk hr sl bs sr', 'a y i e u o ek ki ka ky ce ci ow ami ach ie em s es'],
      ['sv da nb nn no', 'ar er or r n en et a e na erne ene s'],
      ['tr az', 'lar ler i u si su lari leri'],
      ['it', 'a e i o he hi'],
      ['fr', 's x e es'],
      ['hu', 'k ok ek ak i s'],
      ['ro', 'i e a ul le uri'],
      ['fi et', 't a n it ja'],
    ] as const
  ).flatMap(([languages, list]) =>
    languages
      .split(' ')
      .map((language) => [language, new RegExp(`(?:${list.replace(/ /g, '|')})(?![\\p{L}\\p{N}])`, 'uy')]),
  ),
);
const commonEnding =
  /(?:s|e|n|es|en|[аяыиуюеоьї]|ов|еи|ам|ям|ах|ях|ои|ая|ое|ые|ии|ыи|ка|ки|ок|ца|цы|ець)(?![\p{L}\p{N}])/uy;

/** Whether a short word ends here, apart from an ending. */
function endsShort(folded: string, end: number, language: string): boolean {
  if (end >= folded.length || !isLetter(folded.charCodeAt(end))) return true;
  return [commonEnding, endings.get(language)].some((form) => {
    if (!form) return false;
    form.lastIndex = end;
    return form.test(folded);
  });
}

/** The longest stem that matches at `at` and has a meaning in `language`: "coffee table" is no coffee. */
function stemAt(folded: string, at: number, startsWord: boolean, language: string): Stem | undefined {
  let longest: Stem | undefined;
  for (let chars = 1; chars <= prefixChars; chars++) {
    for (const stem of stems.get(folded.slice(at, at + chars)) ?? []) {
      const { length } = stem.text;
      if (length <= (longest?.text.length ?? 0) || (chars < prefixChars && length > chars)) continue;
      if (!folded.startsWith(stem.text, at)) continue;
      const isInside = !startsWord && !stem.unspaced;
      if (isInside && length < shortWordChars) continue;
      if (!isInside && !stem.unspaced && length <= shortWordChars && !endsShort(folded, at + length, language))
        continue;
      if (stem.meanings.some((meaning) => !meaning.language || meaning.language === language)) longest = stem;
    }
  }
  return longest;
}

/** Adds up the hits of each word per industry, with decreasing weight. `anywhere`: a host writes words together. */
function count(text: string, language: string, anywhere: boolean): Float64Array {
  const counts = new Float64Array(industries.length);
  const folded = fold(text);
  const seen = new Map<Stem, number>();
  let inWord = false;
  let covered = 0;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    const startsWord = !inWord;
    inWord = isLetter(code);
    if (!inWord || at < covered || !(startsWord || anywhere || code > 0xe00) || !mayStart(folded, at)) continue;
    const stem = stemAt(folded, at, startsWord, language);
    if (!stem) continue;
    covered = at + stem.text.length;
    const times = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, times);
    if (times > maxRepetitions) continue;
    for (const meaning of stem.meanings)
      if (meaning.weight > 0 && (!meaning.language || meaning.language === language))
        counts[meaning.industry] = (counts[meaning.industry] ?? 0) + meaning.weight / Math.sqrt(times);
  }
  return counts;
}

export interface IndustryScore {
  /** `unclassified` below the least score or margin; the margin may be small between near industries. */
  slug: string;
  /** The best industry, also when the page stays unclassified. */
  best: string;
  score: number;
  /** Lead over the second best industry, as a share of the best score. */
  margin: number;
  /** Scores of all industries with a hit, best first. */
  scores: { slug: string; score: number }[];
}

export function scoreIndustries(page: IndustryTexts): IndustryScore {
  const sums = new Float64Array(industries.length);
  for (const source of Object.keys(sourceWeights) as Source[]) {
    const counts = count(page[source], page.language, source === 'name');
    const total = counts.reduce((sum, value) => sum + value, 0);
    if (total === 0) continue;
    const share = page.isArticle && ofArticle.has(source) ? articleShare : 1;
    const scale = (sourceWeights[source] * share) / (total + smoothing);
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (counts[i] ?? 0) * scale;
  }
  const scores = industries
    .map(({ slug }, index) => ({ slug, score: sums[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const [first, second] = scores;
  const score = first?.score ?? 0;
  const lead = (other: { score: number } | undefined): number =>
    score === 0 ? 0 : (score - (other?.score ?? 0)) / score;
  const margin = lead(second);
  const best = first?.slug ?? 'unclassified';
  if (score < leastScore) return { slug: 'unclassified', best, score, margin, scores };
  if (margin >= leastMargin) return { slug: best, best, score, margin, scores };
  // A shop for clothes and shoes sells fashion: near industries do not contradict each other.
  const near = nearIndustries.find((group) => group.includes(best)) ?? [best];
  const isNear = lead(scores.find(({ slug }) => !near.includes(slug))) >= leastMargin;
  const general = near.find((slug) => slug === best || slug === second?.slug);
  return { slug: isNear && general ? general : 'unclassified', best, score, margin, scores };
}

// Products, categories and texts that themes and platforms install as examples.
const demoWords =
  /lorem ipsum[^\n]{0,600}|hummingbird (?:printed )?(?:t-shirt|sweater|cushion|notebook)|brown bear[a-z -]{0,20}|mountain fox[a-z -]{0,20}|the (?:best is yet to come|adventure begins)[a-z -]{0,30}|today is a good day[a-z -]{0,30}|apple cinema 30"?|canon eos 5d|palm treo pro|htc touch hd|nikon d300|samsung syncmaster[\w ]{0,10}|sony vaio|ipod (?:classic|nano|shuffle|touch)|hp lp3065|macbook(?: air| pro)?|joust duffle bag|fusion backpack|madison (?:island|earbuds)|(?:beanie|hoodie|t-shirt) with (?:logo|pocket|zipper)|woo (?:ninja|album|logo|single)[^\n]{0,12}|happy ninja|ship your idea|flying ninja|faded short sleeves? t-shirts?|printed (?:summer |chiffon )?dress|your product(?:'s)? (?:name|title)|example product(?: title)?/gi;

const withoutDemo = (text: string): string => text.replace(demoWords, ' ');

const articleTypes = /^(?:Article|BlogPosting|NewsArticle|Recipe|HowTo|Report)$/;

function isArticle({ jsonLd, metas, url }: PageEvidence): boolean {
  return (
    metas.get('og:type')?.[0] === 'article' ||
    jsonLd.some(({ types }) => types.some((type) => articleTypes.test(type))) ||
    /\/(?:blogs?|news|recipes?|rezepte|article|articles|magazin)\/./i.test(url?.pathname ?? '')
  );
}

/** Types of schema.org that say what a shop sells: ShoeStore, Winery, Book. */
const tellingType =
  /^(?:\w{2,30}(?:Store|Shop)|Winery|Brewery|Distillery|Bakery|Florist|Pharmacy|Optician|Hotel|Library|Book|Audiobook|MusicAlbum|Vehicle|Car|Motorcycle|Course|SoftwareApplication|MedicalBusiness|HealthClub|BeautySalon|HairSalon|NailSalon|TattooParlor|AutoRepair|AutoDealer|TravelAgency|TouristTrip)$/;
const generalType = /^(?:OnlineStore|Convenience|Department|Outlet|Wholesale|GroceryOrConvenience)/;

function kindsOf({ jsonLd, document }: PageEvidence): string {
  const types = [
    ...jsonLd.slice(0, 200).flatMap((node) => node.types),
    ...document.items.slice(0, 200).map(({ attribs }) => attribs.itemtype?.split('/').at(-1) ?? ''),
  ].filter((type) => tellingType.test(type) && !generalType.test(type));
  return [...new Set(types)].map((type) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')).join(' ; ');
}

/** Whether the page sells a book, whose title and description are about anything. */
function isBook({ document, metas, jsonLd }: PageEvidence): boolean {
  const { markup } = document;
  const at = markup.indexOf('ISBN');
  return (
    (at !== -1 && /^ISBN[-\s:\d]{0,30}97[89]/.test(markup.slice(at, at + 300).replace(/<[^<>]{0,150}>/g, ' '))) ||
    /^books?\b/.test(metas.get('og:type')?.[0] ?? '') ||
    metas.has('book:isbn') ||
    jsonLd.some(({ types }) => types.includes('Book'))
  );
}

const category = /"(?:item_category\d?|product_?[tT]ype|google_product_category)"\s{0,3}:\s{0,3}"([^"\\\n]{3,80})"/g;
const maxCategories = 60;

/** Categories that the page hands to its statistics. */
function statedCategories(inline: string): string[] {
  const found: string[] = [];
  for (const [, text = ''] of inline.matchAll(category)) {
    if (found.length >= maxCategories) break;
    found.push(text);
  }
  return found;
}

export function industryTexts(
  page: PageEvidence,
  listing: Listing | undefined,
  name: string,
  { label }: OwnHost,
): IndustryTexts {
  const { document, metas, jsonLd, anchors } = page;
  const title = document.byTag('title')[0];
  const named = jsonLd
    .filter(({ types }) => types.some((type) => /^(?:Product|ProductGroup|BreadcrumbList|ListItem)$/.test(type)))
    .slice(0, 100)
    .map(({ value }) => `${textMember(value, 'category') ?? ''} ${textMember(value, 'name') ?? ''}`);
  const marked = document.properties
    .filter(({ attribs }) => attribs.itemprop === 'name' || attribs.itemprop === 'category')
    .slice(0, 60)
    .map((element) => element.attribs.content ?? textOf(element, 120));
  const shown = [
    'product-title',
    'product-name',
    'product_title',
    'woocommerce-loop-product__title',
    'product-item-link',
    'product-card__title',
    'breadcrumb',
    'breadcrumbs',
  ]
    .flatMap((name) => document.byClass(name).slice(0, 40))
    .slice(0, 120)
    .map((element) => textOf(element, 120));
  const menus = [...document.byTag('nav'), ...document.byTag('header')].slice(0, 6).map((nav) => textOf(nav, 3000));
  const headings = ['h1', 'h2', 'h3'].flatMap((tag) =>
    document
      .byTag(tag)
      .slice(0, 40)
      .map((heading) => textOf(heading, 120)),
  );
  const paths = anchors
    .filter((href) => /\/(?:collections|product-category|category|categories|c|shop|products?)\//.test(href))
    .slice(0, 200)
    .map((href) => href.slice(0, 200).replace(/[^a-zA-Z]+/g, ' '));
  const listed = listing?.products.slice(0, 300).map(({ words }) => words) ?? [];
  const language = (document.byTag('html')[0]?.attribs.lang ?? '').slice(0, 2).toLowerCase();
  const ofBook = isBook(page);
  const of = (parts: readonly string[], maxChars = 20_000): string => withoutDemo(parts.join(' ; ').slice(0, maxChars));
  return {
    name: `${name} ; ${label.replace(/-/g, ' ')}`,
    products: of([...listed, ...named, ...marked, ...shown, ...statedCategories(page.inline)], 60_000),
    title: of([title ? textOf(title, 300) : '', metas.get('og:title')?.[0] ?? '']),
    description: of([metas.get('description')?.[0] ?? '', metas.get('keywords')?.[0]?.slice(0, 400) ?? '']),
    menus: of(menus),
    headings: of(headings),
    paths: of(paths),
    kinds: `${kindsOf(page)}${ofBook ? ' ; book ; isbn ; paperback ; hardcover' : ''}`,
    language,
    isArticle: ofBook || isArticle(page),
  };
}

export function industryOf(
  page: PageEvidence,
  listing: Listing | undefined,
  name: string,
  own: OwnHost,
): StoreObservation['industry'] {
  const { slug } = scoreIndustries(industryTexts(page, listing, name, own));
  return { slug, basis: slug === 'unclassified' ? 'unknown' : 'classified' };
}
