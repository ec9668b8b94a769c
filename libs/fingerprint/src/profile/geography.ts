import { parse } from 'tldts';
import { isObject } from '../catalog/listing.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import type { StoreObservation } from '../types.ts';
import {
  ccTldExceptions,
  countryFromText,
  currencyCountries,
  diallingCodes,
  genericCcTlds,
  isCountry,
  languageCountries,
} from './countries.ts';

/**
 * The country of the seller.
 *
 * - Address in structured data -> `declared`.
 * - Address in the visible markup -> `observed`.
 * - Country domain, phone number, currency, language (in this order) -> `inferred`.
 * - The platform's guess about the visitor (`Shopify.country`) is never used.
 */
function declaredCountry({ jsonLd }: PageEvidence): string | undefined {
  for (const { types, value } of jsonLd) {
    if (!types.includes('PostalAddress')) continue;
    const member = value.addressCountry;
    const text = isObject(member)
      ? (textMember(member, 'name') ?? textMember(member, 'identifier'))
      : textMember(value, 'addressCountry');
    const country = countryFromText(text);
    if (country) return country;
  }
  return undefined;
}

function observedCountry({ document, metas }: PageEvidence): string | undefined {
  const marked = document.elements.find(({ attribs }) => /addressCountry/.test(attribs.itemprop ?? ''));
  const text =
    marked?.attribs.content ??
    (marked?.children[0] && 'data' in marked.children[0] ? String(marked.children[0].data) : undefined);
  return (
    countryFromText(text) ??
    countryFromText(metas.get('business:contact_data:country_name')?.[0] ?? metas.get('og:country-name')?.[0])
  );
}

function domainCountry({ url }: PageEvidence): string | undefined {
  const tld = url ? (parse(url.hostname).publicSuffix?.split('.').at(-1) ?? '') : '';
  if (genericCcTlds.has(tld)) return undefined;
  const country = ccTldExceptions[tld] ?? tld.toUpperCase();
  return isCountry(country) ? country : undefined;
}

const canadianAreas = new Set(
  '204 226 236 249 250 263 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 468 474 506 514 519 548 579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905'.split(
    ' ',
  ),
);
const freeCall = /^(?:8(?:00|33|44|55|66|77|88)|900)/;

/** From an international number. National numbers have no country. */
export function phoneCountry(number: string): string | undefined {
  const digits = /^\s{0,4}(?:\+|00)([\d\s().-]{7,24})/.exec(number)?.[1]?.replace(/\D/g, '');
  if (!digits) return undefined;
  if (digits.startsWith('1')) {
    if (digits.length !== 11 || freeCall.test(digits.slice(1))) return undefined;
    return canadianAreas.has(digits.slice(1, 4)) ? 'CA' : 'US';
  }
  if (digits.startsWith('7')) return /^7[67]/.test(digits) ? 'KZ' : 'RU';
  return diallingCodes[digits.slice(0, 3)] ?? diallingCodes[digits.slice(0, 2)];
}

function calledCountry({ anchors, jsonLd }: PageEvidence): string | undefined {
  const linked = anchors
    .filter((href) => /^tel:/i.test(href))
    .map((href) => href.slice(4).replace(/%20|%2B/gi, (code) => (code === '%20' ? ' ' : '+')));
  const declared = jsonLd.map(({ value }) => textMember(value, 'telephone')).filter((number) => number !== undefined);
  return [...declared, ...linked]
    .slice(0, 20)
    .map(phoneCountry)
    .find((country) => country !== undefined);
}

function languageOf({ document, metas, headers }: PageEvidence): string {
  return (
    document.byTag('html')[0]?.attribs.lang ?? metas.get('og:locale')?.[0] ?? headers.get('content-language')?.[0] ?? ''
  );
}

function languageCountry(page: PageEvidence, currency: string | undefined): string | undefined {
  const [language = '', region = ''] = languageOf(page).trim().split(/[-_]/);
  const upper = region.toUpperCase();
  // en-US is the default of site builders, so the currency must agree with it.
  if (isCountry(upper) && (language.toLowerCase() !== 'en' || upper !== 'US' || currency === 'USD')) return upper;
  const code = language.toLowerCase();
  if (code === 'es' && currency === 'EUR') return 'ES';
  if (code === 'pt' && currency === 'EUR') return 'PT';
  if ((code === 'en' || code === '') && currency === 'USD') return 'US';
  return languageCountries[code];
}

export function geographyOf(page: PageEvidence, currency: string | undefined): StoreObservation['geography'] {
  const declared = declaredCountry(page);
  if (declared) return { country: declared, basis: 'declared' };
  const observed = observedCountry(page);
  if (observed) return { country: observed, basis: 'observed' };
  const inferred =
    domainCountry(page) ?? calledCountry(page) ?? currencyCountries[currency ?? ''] ?? languageCountry(page, currency);
  return inferred ? { country: inferred, basis: 'inferred' } : { country: 'ZZ', basis: 'unknown' };
}
