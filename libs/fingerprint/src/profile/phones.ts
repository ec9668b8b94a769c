import data from '../data/phones.rules.json' with { type: 'json' };
import type { PageEvidence } from '../page/evidence.ts';
import { foreignAddress, textMember } from '../page/json-ld.ts';
import { diallingCodes } from './countries.ts';

/** Countries of the phone numbers of a page. */
const canadianAreas = new Set(data.canadianAreas);
const islandAreas: Readonly<Record<string, string>> = data.islandAreas;
const freeCall = /^(?:8(?:00|33|44|55|66|77|88)|900)/;

/** Returns the country of a number of the North American plan: area code, exchange, line. */
function areaCountry(digits: string): string | undefined {
  if (!/^[2-9]\d{2}[2-9]\d{6}$/.test(digits) || freeCall.test(digits) || /^555|^\d{3}555/.test(digits))
    return undefined;
  const area = digits.slice(0, 3);
  return islandAreas[area] ?? (canadianAreas.has(area) ? 'CA' : 'US');
}

// Sample numbers that themes show.
const madeUp = /0?123456|234567|987654|8408412569|(\d)\1{5}/;

/** Returns the country of an international number. A national number shows no country. */
function phoneCountry(number: string): string | undefined {
  const digits = /^\s{0,4}(?:\+|00)([\d\s().-]{7,24})/.exec(number)?.[1]?.replace(/\D/g, '');
  if (!digits || digits.length < 8 || digits.length > 15 || madeUp.test(digits)) return undefined;
  if (digits.startsWith('1')) return digits.length === 11 ? areaCountry(digits.slice(1)) : undefined;
  if (digits.startsWith('7')) {
    if (digits.length !== 11) return undefined;
    return /^7[67]/.test(digits) ? 'KZ' : 'RU';
  }
  return [5, 3, 2].map((length) => diallingCodes[digits.slice(0, length)]).find((country) => country !== undefined);
}

const internationalNumber = /(?<![\d+/=])(?:\+|\b00)\s?[1-9]\d{0,2}[\s().-]{0,3}(?:\d[\s().-]{0,2}){6,11}\d(?!\d)/g;
const americanNumber =
  /(?<![\d+\-./=])(?:1[\s.-]{1,3})?\(?([2-9]\d{2})\)?[\s.-]{1,3}([2-9]\d{2})[\s.-]{1,2}(\d{4})(?![\d-])/g;
const messenger =
  /^(?:https?:)?\/\/(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?(?:[^#]{0,60}&)?phone=)(?:%2B|\+)?(\d{8,15})/i;

interface Phones {
  /** Countries of international numbers. */
  international: string[];
  /** Countries of American numbers without a country code. */
  areas: string[];
  freeCall: boolean;
}

/** `text` is the page's text about itself. */
export function phonesOf({ document, jsonLd }: PageEvidence, text: string): Phones {
  const international = new Set<string>();
  const areas = new Set<string>();
  let isFreeCall = false;
  const addNational = (digits: string): void => {
    if (madeUp.test(digits)) return;
    const country = areaCountry(digits);
    if (country) areas.add(country);
    else if (freeCall.test(digits) && digits.length === 10) isFreeCall = true;
  };
  const add = (number: string): void => {
    const country = phoneCountry(number);
    if (country) international.add(country);
    const digits = number.replace(/\D/g, '');
    if (!country && /^\s{0,4}(?:\+?1|[2-9])/.test(number.replace(/^[\s(]+/, '')))
      addNational(digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits);
  };
  let links = 0;
  for (const { attribs } of document.byTag('a')) {
    const href = attribs.href ?? '';
    if (/^tel:/i.test(href)) add(href.slice(4, 60).replace(/%20|%2B/gi, (code) => (code === '%20' ? ' ' : '+')));
    const sent = messenger.exec(href.slice(0, 300))?.[1];
    if (sent) add(`+${sent}`);
    if ((/^tel:/i.test(href) || sent) && ++links > 20) break;
  }
  for (const { types, value } of jsonLd.slice(0, 200)) {
    const number = types.some((type) => foreignAddress.test(type)) ? undefined : textMember(value, 'telephone');
    if (number) add(number);
  }
  for (const [number] of [...text.matchAll(internationalNumber)].slice(0, 20)) add(number);
  for (const [, area, exchange, line] of [...text.matchAll(americanNumber)].slice(0, 20))
    addNational(`${area}${exchange}${line}`);
  return { international: [...international], areas: [...areas], freeCall: isFreeCall };
}
