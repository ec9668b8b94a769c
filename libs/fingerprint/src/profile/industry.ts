import type { Element } from 'domhandler';
import type { Listing } from '../catalog/listing.ts';
import { isInside, type PageDocument, textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import type { StatusState, StoreObservation } from '../types.ts';
import { wordSet, words } from '../words.ts';
import { isLetterOrDigit } from './name-text.ts';
import type { OwnHost } from './own-host.ts';
import { PrefixTree } from './prefix-tree.ts';
import { hasDemoNotice, shownSampleSets, withoutSamples } from './sample-data.ts';
import { industries, neutralPhrases, noGoods, sameWords, wordsOfLanguages } from './taxonomy.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * Classifies a store by words of its own name, its products, title, description and menus.
 *
 * 1. Each source counts the words of each industry. A repeated word counts less each time.
 * 2. A source gives each industry a part of its weight: the count of the industry, divided by the count of all plus a constant. A source
 *    with few words therefore has little influence, and a long menu cannot outvote the products.
 * 3. The industry with the highest sum wins. Without {@link minScore} and {@link minMargin}, the store stays `unclassified`. The scores
 *    of industries that one shop often combines ({@link nearIndustries}) are added to reach the least score.
 */
const strongWeight = 3;
const weakWeight = 1;
const smoothing = 5;
const minScore = 1.4;
/** A site that sells nothing needs three words instead of one or two, because words of its topic are not words of goods. */
const minScoreWithoutShop = 2.3;
const minMargin = 0.1;

/** The weights of the sources. An article is about its topic: only the name and the menus of its site count in full. */
const sourceWeights = {
  name: 4,
  products: 5,
  title: 4,
  description: 2.5,
  menus: 2.5,
  links: 2.5,
  headings: 2,
  paths: 2,
  kinds: 4,
} as const;
/**
 * The words on the page of an article or a book are words of its topic. They count at most as much as the words around them, because an
 * article about a cake is not a sign of a bakery.
 */
const articleShare = 0.3;

/** Industries that one shop often combines. The first industry of a group stands for all. */
const nearIndustries: readonly (readonly string[])[] = [
  ['apparel', 'shoes', 'bags-and-luggage', 'jewelry-and-watches'],
  ['beauty', 'health'],
  ['food', 'beverages'],
  ['sports-and-fitness', 'outdoor-and-hunting'],
  ['home-and-furniture', 'kitchen-and-appliances'],
  ['electronics', 'computers-and-software'],
];

type Source = keyof typeof sourceWeights;
const ofArticle: ReadonlySet<Source> = new Set<Source>(['products', 'title', 'description', 'headings', 'links']);
/** Sources whose words are chosen for the whole store, or that name its goods. */
const ofStore: ReadonlySet<Source> = new Set<Source>(['name', 'products', 'menus', 'kinds']);
/** The texts by source. A source without a text may be absent. */
export type IndustryTexts = Readonly<Partial<Record<Source, string>>> & {
  readonly language: string;
  readonly isArticle: boolean;
  /** False for a site without a shop. */
  readonly sells: boolean;
};

interface Word {
  industry: number;
  weight: number;
  language: string;
}

function fold(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/** Reads a word of the taxonomy. "de:mode" belongs to one language. */
function wordOf(word: string, industry: number, weight: number): Word & { text: string } {
  const [, language = '', text = word] = /^([a-z]{2}):(.+)$/.exec(word) ?? [];
  return { text: fold(text), industry, weight, language };
}

const ofIndustries = industries.flatMap(({ strong, weak }, industry) => [
  ...strong.map((word) => wordOf(word, industry, strongWeight)),
  ...weak.map((word) => wordOf(word, industry, weakWeight)),
]);
const industryAt = new Map(industries.map(({ slug }, index) => [slug, index]));
const ofLanguages = wordsOfLanguages.flatMap(({ languages, words }) =>
  Object.entries(words).flatMap(([slug, list]) =>
    list.flatMap((word) =>
      languages.map((language) => wordOf(`${language}:${word}`, industryAt.get(slug) ?? -1, strongWeight)),
    ),
  ),
);
const vocabulary = [...ofIndustries, ...ofLanguages, ...neutralPhrases.map((word) => wordOf(word, -1, 0))];

interface Stem {
  text: string;
  /** Whether the script writes words without spaces. The stem then counts anywhere. */
  unspaced: boolean;
  /** One stem may belong to several industries. */
  meanings: readonly Word[];
}

const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const shortWordChars = 5;
const maxRepetitions = 12;
const maxEndingChars = 2;
const minHeadChars = 6;
/** A single word of titles, headings and links may be the topic of a text, however often the page repeats it. */
const oneWordShare = 0.7;
/** Scales the score of an industry with one weak word and no other word on the page. For example, a workshop is also a lesson. */
const oneWeakWordShare = 0.62;
/** The head of a compound is less certain than a word, because the rest may change its meaning. */
const headShare = 0.4;

const stems: readonly Stem[] = [...Map.groupBy(vocabulary, ({ text }) => text)].map(([text, meanings]) => ({
  text,
  unspaced: unspacedScript.test(text),
  // Several languages may have the same word for one industry.
  meanings: [...new Map(meanings.toReversed().map((word) => [`${word.industry} ${word.language}`, word])).values()],
}));
/** The stems of {@link noGoods} by language. */
const foreignStems = new Map(Object.entries(noGoods).map(([language, list]) => [language, new Set(list)]));

/** Whether a meaning of the stem counts in the language. */
const isMeant = (stem: Stem, meaning: Word, language: string): boolean =>
  meaning.language
    ? meaning.language === language
    : foreignStems.get(sameWords[language] ?? language)?.has(stem.text) !== true;

const stemTree = new PrefixTree(stems.map(({ text }) => text));

/** Further noun endings by language, without accents. A short word may have one of them. */
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

const englishEndings = [/(?:s|es)(?![\p{L}\p{N}])/uy];

/** Whether a short word ends here. One ending may follow. */
function endsShort(folded: string, end: number, language: string): boolean {
  if (end >= folded.length || !isLetterOrDigit(folded.charCodeAt(end))) return true;
  // In English, "e" and "n" make another word: car and care, tee and teen.
  return (language === 'en' ? englishEndings : [commonEnding, endings.get(language)]).some((form) => {
    if (!form) return false;
    form.lastIndex = end;
    return form.test(folded);
  });
}

/** Returns the longest stem at `at` with a meaning in `language`. "coffee table" therefore does not count as coffee. */
function stemAt(folded: string, at: number, startsWord: boolean, language: string): Stem | undefined {
  if (!stemTree.mayStart(folded.charCodeAt(at), folded.charCodeAt(at + 1) || 0)) return undefined;
  let longest: Stem | undefined;
  let node = 0;
  for (let end = at; end < folded.length; ) {
    node = stemTree.step(node, folded.charCodeAt(end++));
    if (node === 0) break;
    const text = stemTree.endAt(node);
    if (text === -1) continue;
    const stem = stems[text] as Stem;
    const length = end - at;
    const isInside = !startsWord && !stem.unspaced;
    if (isInside && length < shortWordChars) continue;
    if (!isInside && !stem.unspaced && length <= shortWordChars && !endsShort(folded, end, language)) continue;
    if (stem.meanings.some((meaning) => isMeant(stem, meaning, language))) longest = stem;
  }
  return longest;
}

/** Languages that join the parts of a compound. The last part is its head: "Winterjacken" are jackets. */
const compoundLanguages = new Set(['de', 'nl', 'sv', 'da', 'nb', 'nn', 'no', 'fi', 'hu', 'is', 'et']);
const minModifierChars = 3;

/** Returns the stem that ends the compound from `start` to `end`. */
function headOf(folded: string, start: number, end: number, language: string): Stem | undefined {
  for (let at = start + minModifierChars; at <= end - minHeadChars; at++) {
    const stem = stemAt(folded, at, false, language);
    if (stem && stem.text.length >= minHeadChars && at + stem.text.length >= end - maxEndingChars) return stem;
  }
  return undefined;
}

/** Returns the end of the word that starts at `at`. */
function wordEnd(folded: string, at: number): number {
  let end = at;
  while (end < folded.length && isLetterOrDigit(folded.charCodeAt(end))) end++;
  return end;
}

/** The first word that was seen of each industry, and whether there were others. */
interface WordsSeen {
  first: (Stem | undefined)[];
  several: Uint8Array;
  /** Whether a strong word or two different words were seen, from any source. */
  certain: Uint8Array;
}

/** Words of the name, and the evidence of the other sources without them. */
interface NameWords {
  /** Each word with the parts of the name before it and from it on: "wick ", "candle co". */
  stems: Map<Stem, { before: string; rest: string }[]>;
  /** Names of brands. They are not words of goods; see {@link brandOf}. */
  ignored: ReadonlySet<Stem>;
  /** Weights of each industry in the other sources. Places that only repeat the name do not count; see {@link repeatsName}. */
  others: Float64Array;
  /** The different words of each industry in the other sources. */
  otherStems: Set<Stem>[];
}

/** Adds up the hits of each word per industry, with decreasing weight. Stems count inside of a name, which may be a host. */
function count(text: string, language: string, source: Source, words: WordsSeen, named: NameWords): Float64Array {
  const isName = source === 'name';
  const counts = new Float64Array(industries.length);
  const folded = fold(text);
  const isCompound = !isName && compoundLanguages.has(language);
  const seen = new Map<Stem, number>();
  let inWord = false;
  let covered = 0;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    const startsWord = !inWord;
    inWord = isLetterOrDigit(code);
    if (!inWord || at < covered || !(startsWord || isName || code > 0xe00)) continue;
    let stem = stemAt(folded, at, startsWord, language);
    let share = 1;
    covered = at + (stem?.text.length ?? 0);
    if (!stem && startsWord && isCompound) {
      covered = wordEnd(folded, at);
      stem = headOf(folded, at, covered, language);
      share = headShare;
    }
    if (!stem || named.ignored.has(stem)) continue;
    if (isName) addNameWord(named, stem, folded, at);
    const times = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, times);
    if (times > maxRepetitions) continue;
    const isOfGoods = goodsSources.has(source) || !repeatsName(named, stem, folded, at);
    for (const meaning of stem.meanings)
      if (meaning.weight > 0 && isMeant(stem, meaning, language)) {
        const { industry, weight } = meaning;
        const worth = (weight * share) / Math.sqrt(times);
        counts[industry] = (counts[industry] ?? 0) + worth;
        if (isOfGoods) {
          named.others[industry] = (named.others[industry] ?? 0) + worth;
          named.otherStems[industry]?.add(stem);
        }
        if ((words.first[industry] ?? stem) !== stem) words.several[industry] = words.certain[industry] = 1;
        if (weight === strongWeight) words.certain[industry] = 1;
        words.first[industry] = stem;
      }
  }
  return counts;
}

export interface IndustryScore {
  /** `unclassified` below the least score or margin. Between near industries the margin may be small. */
  slug: string;
  /** The best industry. It is set even if the page stays unclassified. */
  best: string;
  score: number;
  /** The lead over the second best industry, as a share of the best score. */
  margin: number;
  /** Whether different words show the best industry. */
  hasSeveralWords: boolean;
  /** The scores of all industries with a hit, the best first. */
  scores: { slug: string; score: number }[];
}

/** The minimum weight and number of the words that contradict a name. The weight is that of three strong words. */
const minContradiction = 9;
const minContradictions = 3;
/** The largest part of that weight that words of the name's own industry may have. */
const mostSupport = 1 / 8;

/**
 * Returns words of a name that the rest of the page contradicts: a shop named Houseplant that sells ashtrays, or the host of a former shop
 * for sneakers. The rest of the page has almost no words of their industry, and several words of another industry. A shop that names its
 * candles after cakes is no such case, because the names of its products contain the word of its name.
 */
function brandOf({ stems, others, otherStems }: NameWords): Set<Stem> {
  const leader = others.reduce((best, weight, at) => (weight > (others[best] ?? 0) ? at : best), 0);
  const contradiction = others[leader] ?? 0;
  if (contradiction < minContradiction || (otherStems[leader]?.size ?? 0) < minContradictions) return new Set();
  const isContradicted = ({ industry }: Word): boolean => {
    const near = nearOf(industries[industry]?.slug ?? '');
    const support = near.reduce((sum, slug) => sum + (others[industryAt.get(slug) ?? -1] ?? 0), 0);
    return industry >= 0 && support <= contradiction * mostSupport;
  };
  return new Set([...stems.keys()].filter(({ meanings }) => meanings.length > 0 && meanings.every(isContradicted)));
}

const partSeparator = ' ; ';

function addNameWord({ stems }: NameWords, stem: Stem, folded: string, at: number): void {
  const start = folded.lastIndexOf(partSeparator, at);
  const end = folded.indexOf(partSeparator, at);
  const place = {
    before: folded.slice(start === -1 ? 0 : start + partSeparator.length, at),
    rest: folded.slice(at, end === -1 ? folded.length : end),
  };
  const places = stems.get(stem);
  if (!places) stems.set(stem, [place]);
  else if (places.length < maxRepetitions) places.push(place);
}

/** Products and menus have words of goods, even if a word is the whole name: a shop named Savon with the product "Savon au miel". */
const goodsSources: ReadonlySet<Source> = new Set<Source>(['products', 'menus']);

/** Whether the word at `at` is part of the whole name. Otherwise it is a word of goods: "Vanilla Candle" at Wick Candle Co. */
function repeatsName({ stems }: NameWords, stem: Stem, folded: string, at: number): boolean {
  return (stems.get(stem) ?? []).some(({ before, rest }) => {
    const from = at - before.length;
    const to = at + rest.length;
    return (
      folded.startsWith(rest, at) &&
      folded.endsWith(before, at) &&
      !(from > 0 && isLetterOrDigit(folded.charCodeAt(from - 1))) &&
      !(to < folded.length && isLetterOrDigit(folded.charCodeAt(to)))
    );
  });
}

const nearOf = (slug: string): readonly string[] => nearIndustries.find((group) => group.includes(slug)) ?? [slug];

export function scoreIndustries(page: IndustryTexts, ignored: ReadonlySet<Stem> = new Set()): IndustryScore {
  const named: NameWords = {
    stems: new Map(),
    ignored,
    others: new Float64Array(industries.length),
    otherStems: industries.map(() => new Set()),
  };
  const sums = new Float64Array(industries.length);
  const words: WordsSeen = {
    first: [],
    several: new Uint8Array(industries.length),
    certain: new Uint8Array(industries.length),
  };
  const topics = new Float64Array(industries.length);
  for (const source of Object.keys(sourceWeights) as Source[]) {
    // Step 1: the words of each industry.
    const counts = count(page[source] ?? '', page.language, source, words, named);
    const total = counts.reduce((sum, value) => sum + value, 0);
    if (total === 0) continue;
    if (ofStore.has(source)) for (let i = 0; i < counts.length; i++) if (counts[i]) words.several[i] = 1;
    // Step 2: the parts of the weight.
    const isTopic = page.isArticle && ofArticle.has(source);
    const scale = (sourceWeights[source] * (isTopic ? articleShare : 1)) / (total + smoothing);
    const into = isTopic ? topics : sums;
    for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) + (counts[i] ?? 0) * scale;
  }
  // The topic of an article does not contradict the name of its site.
  if (ignored.size === 0 && !page.isArticle) {
    const brand = brandOf(named);
    if (brand.size > 0) return scoreIndustries(page, brand);
  }
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + Math.min(topics[i] ?? 0, sums[i] ?? 0);
  // Step 3: the highest sum.
  const scores = industries
    .map(({ slug }, index) => {
      const share = words.certain[index] ? (words.several[index] ? 1 : oneWordShare) : oneWeakWordShare;
      return { slug, score: (sums[index] ?? 0) * share };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const [first, second] = scores;
  const score = first?.score ?? 0;
  const lead = (other: { score: number } | undefined): number =>
    score === 0 ? 0 : (score - (other?.score ?? 0)) / score;
  const margin = lead(second);
  const best = first?.slug ?? 'unclassified';
  const hasSeveralWords = words.several[industryAt.get(best) ?? -1] === 1;
  const near = nearOf(best);
  const isNear = ({ slug }: { slug: string }): boolean => near.includes(slug);
  const together = scores.filter(isNear).reduce((sum, one) => sum + one.score, 0);
  const isEnough = together >= (page.sells ? minScore : minScoreWithoutShop);
  // A shop for clothes and shoes sells fashion. Near industries therefore do not contradict each other.
  const general = near.find((one) => one === best || one === second?.slug);
  const leads = (): boolean => lead(scores.find((one) => !isNear(one))) >= minMargin;
  const leading = margin >= minMargin ? best : leads() ? general : undefined;
  return { slug: (isEnough && leading) || 'unclassified', best, score, margin, hasSeveralWords, scores };
}

// Texts that themes and platforms show instead of texts of the shop, and samples that no shop sells. data/sample-data.yaml has the others.
const demoWords =
  /lorem ipsum[^\n]{0,600}|hummingbird (?:printed )?(?:t-shirt|sweater|cushion|notebook)|brown bear[a-z -]{0,20}|mountain fox[a-z -]{0,20}|the (?:best is yet to come|adventure begins)[a-z -]{0,30}|today is a good day[a-z -]{0,30}|apple cinema 30"?|palm treo pro|htc touch hd|samsung syncmaster[\w ]{0,10}|hp lp3065|joust duffle bag|fusion backpack|madison (?:island|earbuds)|(?:beanie|hoodie|t-shirt) with (?:logo|pocket|zipper)|woo (?:ninja|album|logo|single)[^\n]{0,12}|happy ninja|ship your idea|flying ninja|faded short sleeves? t-shirts?|your product(?:'s)? (?:name|title)|example product(?: title)?/gi;

const withoutDemo = (text: string, sets: readonly number[]): string =>
  withoutSamples(text, sets).replace(demoWords, ' ');

const articlePath = /\/(?:blogs?|news|recipes?|rezepte|article|articles|magazin)\/./i;
const articleTypes = wordSet('Article BlogPosting NewsArticle Recipe HowTo Report');

/** WordPress marks pages with this class. SEO plugins call both posts and pages articles in `og:type`. */
const wordpressPageClass = /(?:^|\s)page-id-\d/;

/** WordPress classes of home pages and shop pages. SEO plugins call these pages articles in `og:type`. */
const shopPageClass = /(?:^|\s)(?:home|woocommerce|woocommerce-page|post-type-archive-product|tax-product_\w+)(?:\s|$)/;

function isArticle({ jsonLd, metas, url, document }: PageEvidence): boolean {
  const bodyClass = document.byTag('body')[0]?.attribs.class?.slice(0, 2000) ?? '';
  const isShopPage = url?.pathname === '/' || shopPageClass.test(bodyClass) || wordpressPageClass.test(bodyClass);
  return (
    (metas.get('og:type')?.[0] === 'article' && !isShopPage) ||
    jsonLd.some(({ types }) => types.some((type) => articleTypes.has(type))) ||
    articlePath.test(url?.pathname ?? '')
  );
}

/** schema.org types that name the goods of a shop: ShoeStore, Winery, Book. */
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

/** Whether the page sells a book. Its title and description may be about anything. */
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
const categoryWords = [
  'item_category',
  'productType',
  'producttype',
  'product_type',
  'product_Type',
  'google_product_category',
] as const;
/** Returns the categories that the page gives to its statistics. */
function statedCategories({ inline, inlineWords }: PageEvidence): string[] {
  if (!categoryWords.some((word) => inlineWords.has(word))) return [];
  return [...inline.matchAll(category).take(maxCategories)].map(([, text = '']) => text);
}

const minMenuChars = 200;
const maxLinks = 300;
const minCategories = 5;

/** A header within the content belongs to an article or a card. */
const isOfContent = (header: Element): boolean =>
  isInside(header, ({ name }) => name === 'article' || name === 'main' || name === 'section');

/** Returns the texts of the menus. A page often has its menu twice, for narrow and for wide screens. */
const menusOf = (document: PageDocument): string[] => [
  ...new Set(
    [...document.byTag('nav'), ...document.byTag('header').filter((header) => !isOfContent(header))]
      .slice(0, 6)
      .map((menu) => textOf(menu, 3000)),
  ),
];

/** Returns the labels of all links, because older templates have no element for their menus. */
const linksOf = (document: PageDocument): string[] => [
  ...new Set(
    document
      .byTag('a')
      .slice(0, maxLinks)
      .map((link) => textOf(link, 60)),
  ),
];

const maxAnchors = 600;
const maxPaths = 200;
const maxFolderChars = 80;
const separators = /[^a-zA-Z\u00aa-\uffff]+/g;
const filePath = /\.(?:jpe?g|png|gif|webp|avif|svg|pdf|zip|mp4)$/i;
const categoryPath = /\/(?:collections|product-category|category|categories|c|shop|products?)\//;

/** Returns the words in the addresses of categories and products, each folder once. Some shops have no special folder for them. */
function pathsOf(anchors: readonly string[]): string[] {
  const paths = new Set<string>();
  for (const href of new Set(anchors.slice(0, maxAnchors))) {
    const path = pathOf(href);
    if (!filePath.test(path) && !articlePath.test(path)) paths.add(path);
  }
  const marked = [...paths].filter((path) => categoryPath.test(path));
  const folders = new Set<string>();
  for (const path of (marked.length >= minCategories ? marked : [...paths]).slice(0, maxPaths))
    for (const folder of path.split('/')) if (folder.length <= maxFolderChars) folders.add(folder);
  return [...folders].map((folder) => folder.replace(separators, ' '));
}

function pathOf(href: string): string {
  const host = href.indexOf('//');
  const from = host === 0 || href[host - 1] === ':' ? href.indexOf('/', host + 2) : 0;
  if (from === -1) return '';
  const path = href.slice(from, from + 300);
  const end = path.search(/[?#]/);
  const plain = end === -1 ? path : path.slice(0, end);
  if (!plain.includes('%')) return plain;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain.replace(/%[\da-f]{2}/gi, ' ');
  }
}

const maxTextChars = 5000;
const englishWord = /\b(?:the|and|your|with|our|you|for|this|from|are|we|is|of|to|on|all|at|by|be|any|not)\b/gi;
const minEnglishWords = 15;
const minEnglishShare = 0.12;

/** Whether a page that does not state its language has enough everyday English words. */
function isEnglish({ ends }: VisibleText): boolean {
  const text = ends.slice(0, maxTextChars);
  const found = text.match(englishWord)?.length ?? 0;
  return found >= minEnglishWords && found >= (text.match(/\p{L}+/gu)?.length ?? 0) * minEnglishShare;
}

/** Classes of product names, and of paths of categories. */
const classesOfNames = words(`
  product-title product-name product_title woocommerce-loop-product__title product-item-link product-card__title
  breadcrumb breadcrumbs
`);

export function industryTexts(
  page: PageEvidence,
  listing: Listing | undefined,
  name: string,
  { label }: OwnHost,
  sells: boolean,
  visible: VisibleText,
): IndustryTexts & { readonly sampleSets: readonly number[] } {
  const { document, metas, jsonLd, anchors } = page;
  const named = jsonLd
    .filter(({ types }) => types.some((type) => /^(?:Product|ProductGroup|BreadcrumbList|ListItem)$/.test(type)))
    .slice(0, 100)
    .map(({ value }) => `${textMember(value, 'category') ?? ''} ${textMember(value, 'name') ?? ''}`);
  const marked = document.properties
    .filter(({ attribs }) => attribs.itemprop === 'name' || attribs.itemprop === 'category')
    .slice(0, 60)
    .map((element) => element.attribs.content ?? textOf(element, 120));
  const shown = classesOfNames
    .flatMap((name) => document.byClass(name).slice(0, 40))
    .slice(0, 120)
    .map((element) => textOf(element, 120));
  const menus = menusOf(document);
  const hasMenus = menus.reduce((sum, { length }) => sum + length, 0) >= minMenuChars;
  const headingsOf = (tag: string): string[] =>
    document
      .byTag(tag)
      .slice(0, 40)
      .map((heading) => textOf(heading, 120));
  const headings = ['h1', 'h2', 'h3'].flatMap(headingsOf);
  const paths = pathsOf(anchors);
  const listed = listing?.products.slice(0, 300).map(({ words }) => words) ?? [];
  const language = document.language || (isEnglish(visible) ? 'en' : '');
  const ofBook = isBook(page);
  const links = hasMenus ? [] : linksOf(document);
  // OpenCart has the names of products in h4.
  const sampleSets = shownSampleSets([
    ...listed,
    ...named,
    ...marked,
    ...shown,
    ...headings,
    ...headingsOf('h4'),
    ...links,
  ]);
  const of = (parts: readonly string[], maxChars = 20_000): string =>
    withoutDemo(parts.join(' ; ').slice(0, maxChars), sampleSets);
  /** If the page has a notice that the store is a demonstration, its goods are samples and do not count. */
  const ofGoods: typeof of = hasDemoNotice(visible.ends) ? () => '' : of;
  return {
    name: `${name} ; ${label.replace(/-/g, ' ')}`,
    products: ofGoods([...listed, ...named, ...marked, ...shown, ...statedCategories(page)], 60_000),
    title: of([document.titleText(300), metas.get('og:title')?.[0] ?? '']),
    description: of([metas.get('description')?.[0] ?? '', metas.get('keywords')?.[0]?.slice(0, 400) ?? '']),
    menus: of(menus),
    links: ofGoods(links),
    headings: ofGoods(headings),
    paths: ofGoods(paths),
    kinds: `${kindsOf(page)}${ofBook ? ' ; book ; isbn ; paperback ; hardcover' : ''}`,
    language,
    isArticle: ofBook || isArticle(page),
    sells,
    sampleSets,
  };
}

const minTextScore = 0.85;
const minTextMargin = 0.5;
/** The score that a heading with one word of goods gives. */
const minHint = 0.5;
/** Industries whose words occur in the terms of any shop: its office, packaging, software and phone. */
const ofAnyTerms = wordSet('office-and-business computers-and-software electronics education books-and-media');

/**
 * The industry of the text of a shop, such as a shop for one product, whose name, products, menus and headings have too few words. A text
 * has many words for other things: what a knife cuts, what the team likes, what the carrier refuses. Several words must therefore show the
 * industry with a clear lead, and several words of the other sources must point to the same industry.
 */
function industryOfText(visible: VisibleText, language: string, sampleSets: readonly number[]): string {
  const text = hasDemoNotice(visible.ends) ? '' : withoutDemo(visible.ends.slice(0, maxTextChars), sampleSets);
  const texts = { description: text, language, isArticle: false, sells: true };
  const { best, score, margin, hasSeveralWords } = scoreIndustries(texts);
  const isClear = hasSeveralWords && score >= minTextScore && margin >= minTextMargin;
  return isClear && !ofAnyTerms.has(best) ? best : 'unclassified';
}

export function industryOf(
  page: PageEvidence,
  listing: Listing | undefined,
  name: string,
  own: OwnHost,
  state: StatusState,
  visible: VisibleText,
): StoreObservation['industry'] {
  const texts = industryTexts(page, listing, name, own, state !== 'not_a_storefront', visible);
  const scored = scoreIndustries(texts);
  const isHint = scored.slug === 'unclassified' && scored.hasSeveralWords && scored.score >= minHint;
  const isConfirmed =
    isHint &&
    texts.sells &&
    !texts.isArticle &&
    industryOfText(visible, texts.language, texts.sampleSets) === scored.best;
  const slug = isConfirmed ? scored.best : scored.slug;
  return { slug, basis: slug === 'unclassified' ? 'unknown' : 'classified' };
}
