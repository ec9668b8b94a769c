import type { Listing } from '../catalog/listing.ts';
import { LiteralScanner } from '../engine/aho-corasick.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import type { StoreObservation } from '../types.ts';
import { industries } from './taxonomy.ts';

/**
 * Classifies the industry by the words of products, menus, title and description. The listing has more weight than the
 * page. Without a lead over the second best industry the store stays unclassified.
 */
const strongWeight = 3;
const weakWeight = 1;
const leastScore = 8;
const leastShare = 0.3;

interface Word {
  industry: number;
  weight: number;
}

const vocabulary = industries.flatMap(({ strong, weak }, industry) => [
  ...strong.map((text) => ({ text, industry, weight: strongWeight })),
  ...weak.map((text) => ({ text, industry, weight: weakWeight })),
]);
// One word may belong to several industries. The scanner has each text once.
const meanings = Map.groupBy(vocabulary, ({ text }) => fold(text));
const texts = [...meanings.keys()];
const scanner = new LiteralScanner(texts);

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** Adds up the hits of each word per industry, with decreasing weight. So one frequent word cannot decide alone. */
function count(text: string, factor: number, scores: Float64Array): void {
  const folded = fold(text);
  const seen = new Map<number, number>();
  scanner.scan(folded, (literal, end) => {
    const word = texts[literal] ?? '';
    const at = end - word.length;
    if (at > 0 && isLetter(folded.charCodeAt(at - 1))) return;
    // Short stems must be whole words, except for a plural: "tea" does not match "team".
    const rest = folded.slice(end, end + 2);
    if (word.length <= 5 && !/^(?:s|es|en|e)?(?:[^a-z0-9]|$)/.test(rest) && isLetter(rest.charCodeAt(0))) return;
    const times = (seen.get(literal) ?? 0) + 1;
    seen.set(literal, times);
    if (times > 12) return;
    for (const { industry, weight } of meanings.get(word) as Word[])
      scores[industry] = (scores[industry] ?? 0) + (weight * factor) / Math.sqrt(times);
  });
}

function pageTexts({ document, metas, jsonLd, anchors }: PageEvidence): { text: string; factor: number }[] {
  const title = document.byTag('title')[0];
  const named = jsonLd
    .filter(({ types }) =>
      types.some((type) =>
        /^(?:Product|ProductGroup|CollectionPage|BreadcrumbList|ListItem|SiteNavigationElement)$/.test(type),
      ),
    )
    .slice(0, 100)
    .map(({ value }) => `${textMember(value, 'category') ?? ''} ${textMember(value, 'name') ?? ''}`);
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
  return [
    {
      text: `${title ? textOf(title, 300) : ''} ${metas.get('description')?.[0] ?? ''} ${metas.get('keywords')?.[0]?.slice(0, 400) ?? ''} ${metas.get('og:title')?.[0] ?? ''}`,
      factor: 2,
    },
    { text: named.join(' '), factor: 1 },
    { text: menus.join(' '), factor: 1 },
    { text: headings.join(' '), factor: 1 },
    { text: paths.join(' '), factor: 0.7 },
  ];
}

export function industryOf(page: PageEvidence, listing: Listing | undefined): StoreObservation['industry'] {
  const scores = new Float64Array(industries.length);
  for (const { text, factor } of pageTexts(page)) count(text.slice(0, 20_000), factor, scores);
  if (listing)
    count(
      listing.products
        .slice(0, 300)
        .map(({ words }) => words)
        .join(' ; ')
        .slice(0, 60_000),
      2,
      scores,
    );
  const total = scores.reduce((sum, score) => sum + score, 0);
  const best = scores.reduce((leader, score, industry) => (score > (scores[leader] ?? 0) ? industry : leader), 0);
  const top = scores[best] ?? 0;
  if (top < leastScore || top < total * leastShare) return { slug: 'unclassified', basis: 'unknown' };
  return { slug: industries[best]?.slug ?? 'unclassified', basis: 'classified' };
}
