import type { Catalog, StoreObservation } from '@shopscope/fingerprint';
import { getDomain } from 'tldts';
import type { Label } from './labels.ts';

/**
 * Compares an observation with the label of its page, field by field. The functions have no side effects.
 *
 * - `unknown`: the observation states nothing, or the domain in place of a name.
 * - `unsure`: the answer differs from the label, and the readers were unsure of the label. It counts as right and is also counted apart.
 */
export type Outcome = 'right' | 'wrong' | 'unknown';

export interface Judged {
  outcome: Outcome;
  unsure?: true;
  said: string;
  label: string;
}

export const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the letters of the host, of its registrable domain, and of the first label of each. */
function domainNames(host: string): string[] {
  const bare = host.replace(/^www\./, '');
  const domains = [host, bare, getDomain(host) ?? bare];
  return [...domains, ...domains.map((domain) => domain.split('.')[0] ?? '')].map(lettersOf);
}

/** Compares only letters and digits. The domain does not count as a name unless the label accepts it. */
export function judgeName(
  { name, nameBasis }: Pick<StoreObservation, 'name' | 'nameBasis'>,
  label: Label['name'],
  host: string,
): Judged {
  const letters = lettersOf(name);
  const accepted = [label.value ?? '', ...label.also].map(lettersOf).filter((text) => text !== '');
  const unknown = ['', ...domainNames(host)];
  const isDomain = nameBasis === 'domain' || unknown.includes(letters);
  const outcome = accepted.includes(letters) ? 'right' : isDomain ? 'unknown' : 'wrong';
  return { outcome, said: name, label: label.value ?? '' };
}

/** A stated country is wrong if the page shows none. */
export function judgeCountry(country: string, { value, sure }: Label['country']): Judged {
  const judged = { said: country, label: value ?? 'ZZ' };
  if (country === 'ZZ') return { outcome: 'unknown', ...judged };
  if (country === value) return { outcome: 'right', ...judged };
  return value !== null && !sure ? { outcome: 'right', unsure: true, ...judged } : { outcome: 'wrong', ...judged };
}

/** A stated industry is wrong if the page does not belong to a shop. */
export function judgeIndustry(slug: string, { value, also }: Label['industry']): Judged {
  const judged = { said: slug, label: value ?? 'unclassified' };
  if (slug === 'unclassified') return { outcome: 'unknown', ...judged };
  return { outcome: slug === value || also.includes(slug) ? 'right' : 'wrong', ...judged };
}

export function judgeStatus(state: string, { value, sure }: Label['status']): Judged {
  const judged = { said: state, label: value };
  if (state === value) return { outcome: 'right', ...judged };
  const either = ['active_storefront', 'not_a_storefront'];
  return !sure && either.includes(state) && either.includes(value)
    ? { outcome: 'right', unsure: true, ...judged }
    : { outcome: 'wrong', ...judged };
}

const bare = (version: string): string => version.trim().replace(/^v/i, '');

/** `expected` is the slug of the platform, or null for no platform, which the observation states as `custom`. */
export function judgePlatform(slug: string, expected: string | null): Judged {
  const judged = { said: slug, label: expected ?? 'custom' };
  if (slug === judged.label) return { outcome: 'right', ...judged };
  return { outcome: slug === 'custom' ? 'unknown' : 'wrong', ...judged };
}

/**
 * Returns a result for each stated version, and `unknown` for each technology whose labelled version is not stated. `vocabulary` has the
 * slugs that the readers knew. They noted no versions of other technologies, so these are not judged.
 */
export function judgeVersions(
  stated: readonly { slug: string; version?: string }[],
  label: Label['versions'],
  vocabulary: ReadonlySet<string>,
): Judged[] {
  const said = stated.flatMap(({ slug, version }) =>
    version === undefined || !vocabulary.has(slug) ? [] : [{ slug, version }],
  );
  const judged = said.map(({ slug, version }): Judged => {
    const proved = label.filter((entry) => entry.slug === slug).map((entry) => bare(entry.version));
    return {
      outcome: proved.includes(bare(version)) ? 'right' : 'wrong',
      said: `${slug} ${version}`,
      label: proved.join(', '),
    };
  });
  const missing = new Map(label.map((entry) => [entry.slug, entry.version]));
  for (const { slug } of said) missing.delete(slug);
  const unknown = [...missing].map(([slug, version]): Judged => ({ outcome: 'unknown', said: slug, label: version }));
  return [...judged, ...unknown];
}

export interface JudgedCatalog extends Judged {
  /** The catalogue has exactly as many products as the page shows. */
  exact: boolean;
  /** The page shows products. */
  shown: boolean;
}

/**
 * A catalogue is right when its number of products, its currency and its prices are right.
 *
 * - The number is at least one and at most as high as on the page, because structured data may describe a part of the products. With
 *   coverage `full` it equals the number on the page.
 * - Currency and prices count only if the page shows a price and the catalogue states them. If the page shows none, the catalogue must
 *   state none.
 * - The quartiles of the prices lie between the lowest and the highest price of the label, to the cent. On a product page the label has
 *   the selected variant, and the catalogue the cheapest one. A lower price is therefore right there if the page contains the number and
 *   the price is at least a third of the label's. A wrong decimal mark makes a larger difference.
 */
export function judgeCatalog(catalog: Catalog, { products, page_kind }: Label, html: string): JudgedCatalog {
  const { p25, median, p75 } = catalog.priceRange;
  const prices = [p25, median, p75].filter((price) => price > 0);
  const judged = {
    exact: catalog.productCount === products.listed,
    shown: products.listed > 0,
    said: `${catalog.coverage} ${catalog.productCount} ${catalog.currency} ${p25}..${p75}`,
    label: `${products.listed > 0 ? 'shown' : 'none'} ${products.listed} ${products.currency ?? 'XXX'} ${products.lowest ?? 0}..${products.highest ?? 0}`,
  };
  if (catalog.coverage === 'none') return { outcome: 'unknown', ...judged };
  const counted = catalog.productCount >= 1 && catalog.productCount <= products.listed;
  const numberRight = catalog.coverage === 'full' ? judged.exact : counted;
  const right = numberRight && (products.lowest === null ? prices.length === 0 : moneyRight());
  return { outcome: right ? 'right' : 'wrong', ...judged };

  function moneyRight(): boolean {
    const lowest = Number(products.lowest);
    const highest = Number(products.highest ?? products.lowest);
    const currencyRight = prices.length === 0 || ['XXX', products.currency].includes(catalog.currency);
    return currencyRight && prices.every((price) => isBetween(price) || isVariant(price));

    function isBetween(price: number): boolean {
      return price >= lowest - 0.005 && price <= highest + 0.005;
    }
    function isVariant(price: number): boolean {
      return page_kind === 'product' && price < lowest && price >= lowest / 3 && isWritten(price, html);
    }
  }
}

/** Whether the page contains the price, with a decimal point or comma, with marks between thousands, or in minor units. */
export function isWritten(price: number, html: string): boolean {
  const [whole = '', cents = '00'] = price.toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "[.,' ]?");
  const fraction =
    cents === '00' ? `(?:[.,]00?|00)?` : cents.endsWith('0') ? `(?:[.,]${cents[0]}0?|${cents})` : `[.,]?${cents}`;
  return new RegExp(`(?<![\\d.,])${grouped}${fraction}(?!\\d|[.,]\\d)`).test(html);
}

export type JudgedPage = ReturnType<typeof judgePage>;

/** Judges each field of one page. `versions` may have several results or none. */
export function judgePage(
  observed: StoreObservation,
  label: Label,
  page: { host: string; html: string; vocabulary: ReadonlySet<string> },
) {
  return {
    name: judgeName(observed, label.name, page.host),
    country: judgeCountry(observed.geography.country, label.country),
    industry: judgeIndustry(observed.industry.slug, label.industry),
    status: judgeStatus(observed.status.state, label.status),
    catalogue: judgeCatalog(observed.catalog, label, page.html),
    versions: judgeVersions(observed.technologies, label.versions, page.vocabulary),
  };
}
