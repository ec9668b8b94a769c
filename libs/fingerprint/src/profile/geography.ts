import { parse } from 'tldts';
import hosts from '../data/hosts.rules.json' with { type: 'json' };
import { isObject } from '../json.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { foreignAddress, textMember } from '../page/json-ld.ts';
import type { StoreObservation } from '../types.ts';
import {
  ccTldExceptions,
  countryFromText,
  currencyCountries,
  euroLanguages,
  genericCcTlds,
  hasOtherCurrency,
  hasOtherMoney,
  isCountry,
  languageCountries,
} from './countries.ts';
import {
  addressMarks,
  type CountryMark,
  carrierMarks,
  countryOfTown,
  domesticShipping,
  habitMarks,
  legalForms,
  marksOf,
  nationalAddresses,
  nationalPhones,
  paymentMarks,
  platformCountries,
  registerMarks,
  serviceHosts,
  shippingOrigin,
  vatCountries,
} from './country-marks.ts';
import { baseCurrency, isByLettersOnly, visiblePrices } from './currency.ts';
import { MarkIndex } from './mark-index.ts';
import { othersIn } from './name-sources.ts';
import { hostShare } from './name-text.ts';
import type { OwnHost } from './own-host.ts';
import { ownText } from './own-text.ts';
import { phonesOf } from './phones.ts';
import type { PlatformShop } from './platform-shop.ts';
import { zoneCountry } from './time-zones.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * Determines the country of the merchant.
 *
 * - Address in structured data -> `declared`.
 * - Country of the merchant in the data of the platform, a register number, or a postal address -> `observed`.
 * - Phone number, currency of the prices, country domain, origin of shipments, or language -> `inferred`.
 *
 * The first two sources decide alone. The others are weighed, and contradictions lead to an unknown country. The language alone never
 * decides. Language and currency decide only if they agree. Data about the visitor (`Shopify.country`, a switched currency) is never used.
 */
type Geography = StoreObservation['geography'];

const unknown: Geography = { country: 'ZZ', basis: 'unknown' };

/** The weights of marks. A country needs {@link minWeight}, and a lead of {@link minLead} over any other country. */
const weight = {
  register: 8,
  address: 6,
  branches: 4,
  phone: 5,
  nationalPhone: 2,
  area: 4,
  currency: 5,
  configuredCurrency: 3.5,
  currencyLetters: 2.5,
  domain: 5,
  hostOfGuest: 3,
  platform: 3,
  platformDefault: 2,
  legalForm: 4,
  service: 3,
  payment: 2,
  origin: 4,
  domestic: 3,
  carrier: 2,
  zone: 3,
  commonZone: 1,
  region: 3,
  defaultRegion: 1,
  language: 3,
  sharedLanguage: 1.5,
  freeCall: 2,
  mail: 3,
  kitchen: 1.5,
  hostWord: 2,
  dollar: 1,
  dollarSign: 0.5,
  euro: 1.5,
} as const;
const minWeight = 3;
const minLead = 1.5;

function addressCountry(address: Record<string, unknown>): string | undefined {
  const member = Array.isArray(address.addressCountry) ? address.addressCountry[0] : address.addressCountry;
  const text = isObject(member)
    ? (textMember(member, 'name') ?? textMember(member, 'identifier') ?? textMember(member, '@id'))
    : textMember(address, 'addressCountry');
  const named = countryFromText(text?.replace(/^https?:\/\/[^\s]{0,60}\//, ''));
  if (named) return named;
  const [street, town, region, code] = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode'].map(
    (name) => textMember(address, name)?.slice(0, 200) ?? '',
  );
  const [only, other] = countriesOf(
    footMarks.matching(ownText(`${street}\n${town}, ${region} ${code}\n${code} ${town}`)),
  );
  return other === undefined ? only : undefined;
}

const branchTypes = /^(?:LocalBusiness|Store|\w{1,30}Store|\w{1,30}Shop|Restaurant|Place|Library)$/;

interface DeclaredCountries {
  /** The country of all addresses of the store itself. */
  own: string | undefined;
  /** The common country of its branches or of the publishers of articles. Kept apart, because shops also list those of others. */
  others: string | undefined;
}

/** Addresses that templates print as samples. */
const sampleAddress =
  /\b(?:123|1234|12345),? (?:main|example|any|fake|sample|demo|your)\b|\banytown\b|\byour (?:street|address|city|town)\b|muster(?:stra(?:ß|ss)e|stadt|mann)|\blorem\b/i;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether the organization differs from the store: its own site is elsewhere, and the page does not have its name. */
function isOther(value: Record<string, unknown>, { site, document, metas }: PageEvidence): boolean {
  const host = URL.parse(textMember(value, 'url') ?? '')?.hostname ?? '';
  if (site === '' || host === '' || host === site || host.endsWith(`.${site}`)) return false;
  const name = lettersOf(textMember(value, 'name') ?? '');
  const own = [document.titleText(300), metas.get('og:site_name')?.[0] ?? '', site].map(lettersOf);
  return name.length < 3 || !own.some((text) => text.includes(name) || (text.length > 2 && name.includes(text)));
}

function declaredCountries(page: PageEvidence): DeclaredCountries {
  const { jsonLd } = page;
  const foreign = new Set<unknown>();
  const weak = new Set<unknown>();
  const branches: Record<string, unknown>[] = [];
  for (const { types, value } of jsonLd) {
    if (types.some((type) => foreignAddress.test(type)))
      for (const member of [value.address, value.location, value.jobLocation]) {
        foreign.add(member);
        if (isObject(member)) foreign.add(member.address);
      }
    if (isObject(value.address) && isOther(value, page)) foreign.add(value.address);
    if (isObject(value.publisher) && !types.includes('WebSite')) weak.add(value.publisher.address);
    if (types.some((type) => branchTypes.test(type)) && isObject(value.address)) branches.push(value.address);
  }
  const distinct = new Set(
    branches.map((branch) => textMember(branch, 'streetAddress') ?? textMember(branch, 'postalCode')),
  );
  if (distinct.size > 1) for (const branch of branches) weak.add(branch);
  for (const { value } of jsonLd) for (const { address } of othersIn(value)) foreign.add(address);
  const typed = jsonLd.filter(({ types }) => types.includes('PostalAddress')).map(({ value }) => value);
  // Many sites omit the type of the address.
  const untyped = jsonLd
    .filter(({ types }) => !types.some((type) => foreignAddress.test(type)))
    .map(({ value }) => value.address)
    .filter((member): member is Record<string, unknown> => isObject(member) && member['@type'] === undefined);
  const isSample = (value: Record<string, unknown>): boolean =>
    sampleAddress.test(`${textMember(value, 'streetAddress') ?? ''} ${textMember(value, 'addressLocality') ?? ''}`);
  const addresses = [...typed, ...untyped].filter((value) => !foreign.has(value) && !isSample(value)).slice(0, 50);
  const common = (isWeak: boolean): string | undefined => {
    const countries = addresses
      .filter((value) => weak.has(value) === isWeak)
      .map(addressCountry)
      .filter((country) => country !== undefined);
    return new Set(countries).size === 1 ? countries[0] : undefined;
  };
  return { own: common(false), others: common(true) };
}

function markedCountry({ document, metas }: PageEvidence): string | undefined {
  const marked = document.properties.find(({ attribs: { itemprop } }) => itemprop?.includes('addressCountry'));
  const text = marked?.attribs.content ?? (marked ? textOf(marked, 60) : undefined);
  return (
    countryFromText(text) ??
    countryFromText(metas.get('business:contact_data:country_name')?.[0] ?? metas.get('og:country-name')?.[0])
  );
}

const hostWords = marksOf(hosts.words);
/** Platforms of one country whose shops have hosts below the domain of another country. */
const hostsAbroad = marksOf(hosts.abroad);

function domainCountry({ host }: Pick<OwnHost, 'host'>): string | undefined {
  const abroad = hostsAbroad.find(({ form }) => form.test(host));
  if (abroad) return abroad.country;
  const tld = host ? (parse(host).publicSuffix?.split('.').at(-1) ?? '') : '';
  if (genericCcTlds.has(tld)) return undefined;
  const country = ccTldExceptions[tld] ?? tld.toUpperCase();
  return isCountry(country) ? country : undefined;
}

interface Language {
  code: string;
  region: string;
}

function languageOf({ document, metas, headers }: PageEvidence): Language {
  const text =
    document.byTag('html')[0]?.attribs.lang ??
    metas.get('og:locale')?.[0] ??
    headers.get('content-language')?.[0] ??
    '';
  const [code = '', region = ''] = text.trim().split(/[-_]/);
  return { code: code.toLowerCase(), region: isCountry(region.toUpperCase()) ? region.toUpperCase() : '' };
}

/** Regions that site builders choose for a language. They choose them even for stores in other countries of that language. */
const defaultRegions = new Set(['de-DE', 'en-GB', 'es-ES', 'fr-FR', 'nl-NL', 'pt-PT', 'ar-SA', 'zh-CN', 'ru-RU']);

/** Whether the site has translations. The language of one page is then weak evidence. */
function isTranslated({ document }: PageEvidence): boolean {
  const languages = document
    .byTag('link')
    .filter(({ attribs }) => attribs.hreflang && /alternate/i.test(attribs.rel ?? ''))
    .map(({ attribs }) => attribs.hreflang?.slice(0, 2).toLowerCase())
    .filter((code) => code !== 'x-');
  return new Set(languages).size >= 3;
}

type Kind = 'register' | 'domestic' | 'carrier' | 'payment' | 'habit';
interface TextMark extends CountryMark {
  kind: Kind;
  points: number;
}
const ofKind = (kind: Kind, marks: readonly (CountryMark & { points?: number })[]): TextMark[] =>
  marks.map((mark) => ({ points: 0, ...mark, kind }));
const textMarks = new MarkIndex([
  ...ofKind('register', registerMarks),
  ...ofKind('domestic', domesticShipping),
  ...ofKind('carrier', carrierMarks),
  ...ofKind('payment', paymentMarks),
  ...ofKind('habit', habitMarks),
]);
const footMarks = new MarkIndex(addressMarks);
const formMarks = new MarkIndex(legalForms);
const hostMarks = new MarkIndex(serviceHosts);

const maxLinks = 1500;
const maxHosts = 200;

/** Returns the hosts of the page's links and scripts, one per line. */
function outsideHosts({ document, scripts, assets }: PageEvidence): string {
  const hosts = new Set<string>();
  const add = (url: string | undefined): void => {
    const host = /^(?:https?:)?\/\/([a-z0-9.-]{4,80})/i.exec(url ?? '')?.[1];
    if (host && hosts.size < maxHosts) hosts.add(host.toLowerCase());
  };
  for (const { attribs } of document.byTag('a').slice(0, maxLinks)) add(attribs.href);
  for (const { url } of scripts.slice(0, maxLinks)) add(url);
  for (const url of assets.slice(0, maxLinks)) add(url);
  return [...hosts].join('\n');
}

const maxFormLineChars = 160;
const formLines = 60;

/** Returns the lines that may name the company: copyright lines, and the short lines at the end of the page. */
function companyLines(foot: string): string {
  const lines = foot.split('\n');
  return lines
    .filter(
      (line, index) =>
        line.length <= maxFormLineChars && (index >= lines.length - formLines || /©|\(c\)|copyright/i.test(line)),
    )
    .join('\n');
}

const countriesOf = (marks: readonly CountryMark[] | undefined): string[] => marks?.map(({ country }) => country) ?? [];

/** Lines about shipping, reviews, prices and phones. They may name countries of others. */
const notAddress =
  /ship|deliver|versand|liefer|livraison|env[ií]o|spedizion|wysyłka|dostawa|©|copyright|review|rated|stars?\b|verified|bewertung|\bavis\b|currency|[$€£¥]\s?\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2},? 20\d\d/i;
const phoneLike = /\d{3}[\s.-]\d{3}[\s.-]\d{2,4}/;
/** Country names that are also states of the United States or first names. */
const alsoNames = new Set(['georgia', 'jordan', 'chad', 'jersey']);

/** A mail address, or a phone number with its prefix. Dates, years and order numbers do not match. */
const contact = /[\w.-]@[\w-]{2,63}\.\w|(?:\+|\b(?:tel|phone|telefon|call)[\w.: ]{0,12})\(?\d[\d ()/.-]{6}\d/i;
const isContact = (line: string): boolean => contact.test(line.slice(0, 200));

/** Words beside the town of somebody else: a store that resells, a supplier, a warehouse, a fair, a concert, a customer. */
const townOfOthers =
  /warehouse|\blager\b|\breturns?\b|r[üu]cksend|retour|show-?room|stockist|dealers?\b|h[äa]ndler|retailer|reseller|distribut|supplier|partner|fabric|\b(?:made|woven|printed|produced|roasted|crafted|designed|founded|born) (?:in|by)\b|\b(?:fair|messe|expo|exhibition|festival|event|tour|concert|tickets?|trips?|travel|destination|hotel|customer|testimonial|visit)/i;
const linesToContact = 2;
const linesToOthers = 4;

/** Whether the lines around a country may contain the address of somebody else. */
const isOfOthers = (lines: readonly string[]): boolean =>
  lines.some((line) => {
    const start = line.slice(0, 200);
    return townOfOthers.test(start) || notAddress.test(start);
  });

/**
 * A short address has no number. It has the town, its country in the next line, and a mail address or phone number near them. Several towns
 * are a list of customers, events or stores.
 */
function townWithCountry(lines: readonly string[]): string | undefined {
  const found: string[] = [];
  for (let at = 1; at < lines.length; at++) {
    const [previous = '', line = ''] = [lines[at - 1], lines[at]];
    if (line.length > 30 || previous.length > 30) continue;
    const town = countryOfTown(previous.trim());
    if (town === undefined || countryFromText(line.trim()) !== town) continue;
    const isBesideContact = lines.slice(Math.max(at - 1 - linesToContact, 0), at + 1 + linesToContact).some(isContact);
    const isOwn = !isOfOthers(lines.slice(Math.max(at - linesToOthers, 0), at + linesToContact));
    found.push(isBesideContact && isOwn ? town : '');
  }
  return found.length === 1 ? found[0] || undefined : undefined;
}

/** Returns the countries at the end of lines that look like a postal address. A list of countries is not an address. */
function addressLines(foot: string): string[] {
  const found = new Set<string>();
  const lines = foot.split('\n');
  const hasNumber = lines.map((line) => /\d/.test(line));
  for (const [at, line] of lines.entries()) {
    if (!hasNumber[at] && !hasNumber[at - 1]) continue;
    const previous = lines[at - 1] ?? '';
    const last =
      line
        .slice(-200)
        .split(/[,–|]| - /)
        .at(-1)
        ?.replace(/[.\s]+$/, '')
        .trim() ?? '';
    const isWhole = last.length === line.trim().length;
    const near = isWhole ? previous : line;
    if (
      last.length >= 4 &&
      last.length <= 30 &&
      /(?<![\d/.,:-])(?!(?:19|20)\d\d(?!\d))\d{3,7}(?![\d/:]|[.,]\d)|\d{2,3}[\s-]\d{2,3}|[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}/.test(
        near,
      ) &&
      !phoneLike.test(near) &&
      !notAddress.test(line) &&
      !notAddress.test(isWhole ? previous : '') &&
      !alsoNames.has(last.toLowerCase())
    ) {
      const country = countryFromText(last);
      if (country) found.add(country);
    }
  }
  return found.size <= 2 ? [...found] : [];
}

const mailAddress = /[\w.+-]{1,64}@([a-z0-9.-]{3,80}\.[a-z]{2,10})\b/gi;
const freeMail =
  /^(?:gmail|googlemail|icloud|gmx|mail|inbox|list|bk|rambler|yandex|example|domain|email|company|yoursite|yourdomain|sentry|[a-z0-9.-]{0,40}sentry)\.|^(?:hotmail|outlook|yahoo|live|msn|aol)\.com$/i;

/**
 * Returns the countries of the domains of e-mail addresses. A free mailbox below a country domain counts, unless people of many countries
 * use its service.
 */
const mailCountries = (text: string): (string | undefined)[] =>
  text
    .split('\n')
    .filter((line) => line.includes('@'))
    .flatMap((line) => [...line.matchAll(mailAddress)])
    .slice(0, 10)
    .filter(([, host]) => host && !freeMail.test(host))
    .map(([, host]) => domainCountry({ host: (host ?? '').toLowerCase() }));

/** Returns the addresses of links that open a mail program, one per line. */
const linkedMail = ({ document }: PageEvidence): string =>
  document
    .byTag('a')
    .slice(0, maxLinks)
    .map(({ attribs }) => attribs.href ?? '')
    .filter((href) => /^mailto:/i.test(href))
    .slice(0, 10)
    .map((href) => href.slice(7, 120))
    .join('\n');

const minMeasures = 3;
const maxIngredients = 60;

/** Whether the ingredients of a recipe use measures of the United States, and no weights or volumes of other countries. */
function hasAmericanMeasures({ jsonLd }: PageEvidence): boolean {
  const ingredients = jsonLd
    .filter(({ types }) => types.includes('Recipe'))
    .flatMap(({ value }) => (Array.isArray(value.recipeIngredient) ? value.recipeIngredient : []))
    .filter((ingredient) => typeof ingredient === 'string')
    .slice(0, maxIngredients)
    .map((ingredient) => ingredient.slice(0, 200));
  const american = ingredients.filter((text) => /\b(?:cups?|ounces?|oz|lbs?|pounds?|sticks?)\b/i.test(text));
  const metric = ingredients.some((text) => /\d\s?(?:g|gr|kg|ml|dl|cl|l|grams?|lit(?:re|er)s?)\b/i.test(text));
  return american.length >= minMeasures && !metric;
}

interface CountryWeights {
  weights: Map<string, number>;
  /** Countries whose register number or address was seen. */
  observed: Set<string>;
  /** The country of the host on which the store is a guest. */
  hostOfGuest: string | undefined;
  /** Countries with a mark other than the language and the currency. */
  marked: Set<string>;
  /** Countries that the currency suggests. */
  paid: Set<string>;
  /** Whether the countries of the language use other currencies. */
  disagrees: boolean;
}

/** Facts about the store that are known besides its page. */
interface StoreParts {
  shop: PlatformShop;
  own: OwnHost;
  name: string;
  visible: VisibleText;
  /** See {@link pageCurrency}. */
  currency: string | undefined;
  /** Slug of the platform. */
  platform: string | undefined;
}

function weigh(page: PageEvidence, parts: StoreParts): CountryWeights {
  const { shop, own, name, visible, currency: configured, platform = '' } = parts;
  const weights = new Map<string, number>();
  const [observed, marked, paid, spoken] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  // Countries of one source share its weight, because a contradiction weakens the source.
  const add = (countries: readonly (string | undefined)[], points: number, sources = [marked]): void => {
    const distinct = [...new Set(countries.filter((country) => country !== undefined))];
    for (const country of distinct) {
      weights.set(country, (weights.get(country) ?? 0) + points / distinct.length);
      for (const source of sources) source.add(country);
    }
  };
  const text = ownText(visible.ends);
  const foot = text.slice(-visible.foot.length);
  const { code, region } = languageOf(page);
  const phones = phonesOf(page, text);
  const prices = visiblePrices(visible, code);
  const currency = baseCurrency(page, shop, prices, configured);
  const showsDollars = (prices.get('$') ?? 0) > 0;
  const american = currency === undefined || currency === 'USD' || currency === 'CAD';
  const matching = (marks: readonly CountryMark[] = []): CountryMark[] => marks.filter(({ form }) => form.test(foot));

  const { register, domestic, carrier, payment, habit } = Object.groupBy(textMarks.matching(text), ({ kind }) => kind);
  add([...countriesOf(register), ...vatCountries(text)], weight.register, [observed, marked]);
  add(
    [
      markedCountry(page),
      ...addressLines(foot),
      townWithCountry(foot.split('\n')),
      ...countriesOf(footMarks.matching(foot)),
      ...countriesOf(matching(nationalAddresses[code])),
    ],
    weight.address,
    [observed, marked],
  );
  add([declaredCountries(page).others], weight.branches);
  add(phones.international, weight.phone);
  add(countriesOf(matching(nationalPhones[code])), weight.nationalPhone);
  if (american) add(phones.areas, weight.area);
  const isShown = prices.size > 0 || shop.currency !== undefined;
  const byLetters =
    currency !== undefined && currency !== configured && code !== 'ar' && isByLettersOnly(visible, currency);
  const currencyWeight = byLetters ? weight.currencyLetters : weight.currency;
  add([currencyCountries[currency ?? '']], isShown ? currencyWeight : weight.configuredCurrency, [paid]);
  // A site with another name in a folder of the host is a guest there: a demonstration of a theme, or a copy at its developer.
  const isGuest = own.folder !== '' && hostShare(name, own.label) === 0;
  if (!isGuest) add([domainCountry(own)], weight.domain);
  const hostOfGuest = isGuest ? domainCountry(own) : undefined;
  add([platformCountries[platform]], weight.platform);
  add([shop.likelyCountry], weight.platformDefault);
  add(countriesOf(formMarks.matching(companyLines(foot))), weight.legalForm);
  add(countriesOf(hostMarks.matching(outsideHosts(page))), weight.service);
  add(
    [...text.matchAll(shippingOrigin)]
      .slice(0, 6)
      .map(([, place]) => countryFromText(place))
      .filter((country) => country !== 'GE' && country !== 'JO'),
    weight.origin,
  );
  add(countriesOf(domestic), weight.domestic);
  add(countriesOf(carrier), weight.carrier);
  add(countriesOf(payment), weight.payment);
  const zone = zoneCountry(page.inline);
  if (zone) add([zone.country], zone.isCommon ? weight.commonZone : weight.zone);
  if (american && phones.freeCall && code !== 'fr') add(['US'], weight.freeCall);
  // Many sites write recipes for readers in America. The currency is therefore needed, too.
  if (currency === 'USD' && code === 'en' && hasAmericanMeasures(page)) add(['US'], weight.kitchen);
  if (currency === 'USD') add(['US'], weight.dollar, [paid]);
  else if (showsDollars && currency === undefined && code === 'en') add(['US'], weight.dollarSign, [paid]);
  add(mailCountries(`${text}\n${linkedMail(page)}`), weight.mail);
  for (const { country, points } of habit ?? []) add([country], points);
  if (!isGuest) add([hostWords.find(({ form }) => form.test(own.label))?.country], weight.hostWord);
  let disagrees = false;
  /** Adds a country that the language suggests, unless its currency differs from that of the prices. */
  const speak = (country: string | undefined, points: number): void => {
    if (country === undefined) return;
    if (currency !== undefined && hasOtherCurrency(country, currency)) disagrees = true;
    else add([country], points, [spoken]);
  };
  if (!isTranslated(page)) {
    // en-US is the default of site builders. It is therefore no evidence.
    const tag = `${code}-${region}`;
    if (region && tag !== 'en-US') speak(region, defaultRegions.has(tag) ? weight.defaultRegion : weight.region);
    speak(languageCountries[code], weight.language);
    if (currency !== undefined && hasOtherMoney(code, currency)) disagrees = true;
    const euro = euroLanguages[code];
    const sellsInEuro = currency === 'EUR' || (currency === undefined && !showsDollars);
    if (euro && sellsInEuro && (!region || region === euro)) {
      speak(euro, weight.sharedLanguage);
      if (currency === 'EUR') add([euro], weight.euro, [paid]);
    }
    // Prices in euro support a spoken country, because the euro itself names no country.
    if (currency !== undefined)
      for (const country of spoken) if (hasOtherCurrency(country, currency) === false) paid.add(country);
  }
  return { weights, observed, hostOfGuest, marked, paid, disagrees };
}

function heaviest({ weights, observed, hostOfGuest, marked, paid, disagrees }: CountryWeights): Geography {
  // The guest may also be the owner's second shop. The host's country is therefore no evidence for it, but weighs against other countries.
  const against = hostOfGuest === undefined ? 0 : (weights.get(hostOfGuest) ?? 0) + weight.hostOfGuest;
  const [best, second] = [...weights].sort(([, one], [, other]) => other - one);
  if (best && best[0] !== hostOfGuest && best[1] - against < minLead) return unknown;
  if (!best || best[1] < minWeight || best[1] - (second?.[1] ?? 0) < minLead) return unknown;
  const [country] = best;
  if (!marked.has(country) && (disagrees || !paid.has(country))) return unknown;
  return { country, basis: observed.has(country) ? 'observed' : 'inferred' };
}

export function geographyOf(page: PageEvidence, parts: StoreParts): Geography {
  if (parts.shop.country) return { country: parts.shop.country, basis: 'observed' };
  const declared = declaredCountries(page).own;
  if (declared) return { country: declared, basis: 'declared' };
  return heaviest(weigh(page, parts));
}
