import type { PageEvidence } from '../page/evidence.ts';
import type { NameBasis } from '../types.ts';
import {
  copyrightHolders,
  creditedNames,
  feedTitles,
  handles,
  logoTexts,
  publisherNames,
  structuredNames,
  themeNames,
} from './name-sources.ts';
import { bare, clean, hostForms, hostShare, isGeneric, partsOf, plain, spelledOut } from './name-text.ts';
import type { OwnHost } from './own-host.ts';
import type { PlatformShop } from './platform-shop.ts';
import { industries } from './taxonomy.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * Determines the name of the store. Sources give candidates, and the candidate with the most support wins.
 *
 * - `declared`: metadata, structured data or the settings of the platform state it.
 * - `observed`: two of logo, copyright line, title and host agree on it.
 * - `domain`: no sources agree. The name is then the registrable domain. A title alone is never a name.
 */

/** Sources of one family are not independent of each other. */
type Family = 'meta' | 'structured' | 'settings' | 'feed' | 'logo' | 'copyright' | 'title' | 'host' | 'mail' | 'social';

const weights: Readonly<Record<Family, number>> = {
  meta: 3,
  structured: 3,
  settings: 3,
  feed: 2,
  logo: 2,
  copyright: 2,
  title: 1.5,
  host: 2,
  mail: 1.5,
  social: 1,
};
const stating: ReadonlySet<Family> = new Set(['meta', 'structured', 'settings']);
/** A longer name supports a candidate that it contains, with this share of its weight. */
const containedShare = 0.6;

interface Candidate {
  name: string;
  key: string;
  family: Family;
}

/** An address that nobody uses as a name. "Booking.com" does not match, because it is a name. */
const technicalHost =
  /^(?:www\.[\w.-]{3,80}|[\w-]{2,60}\.(?:myshopify|mybigcommerce|wixsite|squarespace|bigcartel|webflow|wordpress|blogspot)\.[a-z]{2,4})\/?$/i;

function candidatesOf(page: PageEvidence, shop: PlatformShop, own: OwnHost, visible: VisibleText): Candidate[] {
  const { metas, document } = page;
  const themes = themeNames(page);
  const credits = creditedNames(visible);
  const titleText = document.titleText(400);
  const candidates: Candidate[] = [];
  const add = (text: string | undefined, family: Family): void => {
    const name = clean(text);
    const short = name && clean(bare(name));
    if (!name || !short || short.length > 60 || short.split(' ').length > 8 || isGeneric(short) || isGeneric(name))
      return;
    const key = plain(short);
    // The demo content of a theme names the site after the theme.
    const isCredit = themes.has(key) || (key.length >= 3 && credits.some((text) => text.startsWith(key)));
    // A site in a folder of another owner's host credits that owner, who made the site. It does not state that name as its own.
    if (isCredit && (hostShare(short, own.label) < 1 || (own.folder !== '' && !stating.has(family)))) return;
    if (key && candidates.length < 120) candidates.push({ name: short, key, family });
  };
  const addParts = (text: string | undefined, family: Family): void => {
    const parts = partsOf(text ?? '');
    if (parts.length === 0) return;
    add(parts.length === 1 ? parts[0] : text, family);
    // Further parts of a logo's text are slogans, unless the host repeats one of them.
    if (parts.length > 1)
      for (const [index, part] of parts.entries())
        if (family === 'title' || index === 0 || hostShare(bare(part), own.label) === 1) add(part, family);
  };
  const stated = (text: string | undefined, family: Family): void => {
    const name = clean(text);
    if (!name || technicalHost.test(name)) return;
    const parts = partsOf(name).filter((part) => !isGeneric(bare(part)));
    // A slogan is cut off. The part that the host repeats stays, otherwise the first part.
    const matched = parts.find((part) => hostShare(bare(part), own.label) === 1);
    const [first = name] = parts;
    const chosen = matched ?? (first.length <= 40 || first.length < name.length / 2 ? first : name);
    // A description is not a name. The whole title of an inner page is not a name either.
    const isTitle =
      plain(chosen) === plain(titleText) &&
      hostShare(chosen, own.label) === 0 &&
      (plain(titleText).length > 20 || !['/', `${own.folder}/`].includes(page.url?.pathname ?? '/'));
    if (chosen.split(' ').length <= 8 && !isTitle) add(chosen, family);
  };
  stated(metas.get('og:site_name')?.[0], 'meta');
  for (const name of structuredNames(page)) stated(name, 'structured');
  for (const name of publisherNames(page)) add(clean(name), 'feed');
  stated(shop.name, 'settings');
  for (const key of ['application-name', 'apple-mobile-web-app-title']) {
    const name = clean(metas.get(key)?.[0]);
    // Icon builders copy any text into these tags. They therefore count less than og:site_name.
    if (name && partsOf(name).length === 1) add(name, 'feed');
  }
  for (const name of feedTitles(page)) add(partsOf(name)[0], 'feed');
  const logos = logoTexts(page, own);
  const holders = copyrightHolders(visible, metas);
  for (const name of logos) addParts(name, 'logo');
  for (const name of holders) add(name, 'copyright');
  addParts(titleText, 'title');
  const spelled = spelledOut(
    [
      titleText,
      metas.get('og:title')?.[0] ?? '',
      ...logos,
      ...holders,
      metas.get('description')?.[0] ?? '',
      visible.ends.slice(0, 600),
      visible.foot.slice(-1500),
    ].join(' | '),
    own.label,
  );
  if (spelled) add(spelled, 'title');
  return candidates;
}

const displayOrder: readonly Family[] = ['meta', 'structured', 'settings', 'logo', 'feed', 'title', 'copyright'];

interface Choice {
  name: string;
  score: number;
  families: Set<Family>;
}

function choose(candidates: readonly Candidate[], page: PageEvidence, { label }: OwnHost): Choice[] {
  const { social, mail } = handles(page);
  const groups = Map.groupBy(candidates, ({ key }) => key);
  const choices: Choice[] = [];
  for (const [key, members] of groups) {
    const families = new Set(members.map(({ family }) => family));
    let score = 0;
    for (const family of families) score += weights[family];
    const share = Math.max(...members.slice(0, 5).map(({ name }) => hostShare(name, label)));
    const length = Math.max(...members.slice(0, 5).map(({ name }) => wordsIn(name)));
    const partly = new Set<Family>();
    for (const other of candidates)
      if (
        other.key !== key &&
        !families.has(other.family) &&
        key.length >= 4 &&
        startsWithWords(other.name, key) &&
        // A stated name with one more word is a name and no slogan, unless the host has the shorter one.
        (share === 1 || !stating.has(other.family) || wordsIn(other.name) - length >= 2)
      )
        partly.add(other.family);
    for (const family of partly) score += weights[family] * containedShare;
    if (share > 0) {
      score += weights.host * share;
      if (share === 1) families.add('host');
    }
    if (social.has(key)) score += weights.social;
    if (mail.has(key)) {
      score += weights.mail;
      families.add('mail');
    }
    const [shown] = [...members].sort(
      (one, other) =>
        Number(isAddress(one.name)) - Number(isAddress(other.name)) ||
        displayOrder.indexOf(one.family) - displayOrder.indexOf(other.family),
    );
    for (const family of partly) if (family !== 'title') families.add(family);
    if (shown) choices.push({ name: shown.name, score, families });
  }
  return choices.sort(
    (one, other) =>
      other.score - one.score ||
      Number(isAddress(one.name)) - Number(isAddress(other.name)) ||
      one.name.length - other.name.length,
  );
}

const isAddress = (name: string): boolean => /^[\w-]+(?:\.[a-z]{2,6}){1,2}$/i.test(name) || name === name.toLowerCase();

const isStated = (families: ReadonlySet<Family>): boolean => [...families].some((family) => stating.has(family));

const wordsIn = (name: string): number => name.split(/\s+/, 12).length;

/** Whether the first words of `name` are `key`. */
function startsWithWords(name: string, key: string): boolean {
  const words = name.split(/\s+/, 12);
  let joined = '';
  for (const word of words.slice(0, -1)) {
    joined += plain(word);
    if (joined === key) return true;
    if (joined.length > key.length) return false;
  }
  return false;
}

/** Cuts a name to its first words if the host repeats them: "Lamphouse Bamboo Lamps" of lamphouse.com becomes "Lamphouse". */
function withoutSlogan(best: Choice, choices: readonly Choice[], { label }: OwnHost): Choice {
  const short = choices.find(
    ({ name }) =>
      best.name.split(/\s+/).length - name.split(/\s+/).length >= 2 &&
      hostForms(name).includes(plain(label)) &&
      startsWithWords(best.name, plain(name)),
  );
  return short ? { ...best, name: short.name } : best;
}

const wordsOfGoods: ReadonlySet<string> = new Set(industries.flatMap(({ strong, weak }) => [...strong, ...weak]));
const isWordOfGoods = (name: string): boolean => wordsOfGoods.has(name.toLowerCase());

/**
 * A site may state its address as its name, while its copyright line or structured data has the name without the ending: "Nike.com", "©
 * Nike". If the copyright line or the structured data has the ending, it belongs to the brand: "© Hotels.com".
 */
function withoutEnding(best: Choice, choices: readonly Choice[], own: OwnHost, { foot }: VisibleText): Choice {
  const { domain, label } = own;
  if (best.name.toLowerCase() !== domain || best.families.has('copyright') || isWordOfGoods(label)) return best;
  const short = new RegExp(
    `(?<![\\p{L}\\p{N}.-])(${label.replace(/[^\w-]/g, '\\$&')})(?![\\p{L}\\p{N}-])(\\.\\p{L})?`,
    'iu',
  );
  const lines = foot.split('\n').filter((line) => /©|\(c\)|copyright/i.test(line));
  const [held, ...others] = lines.map((line) => short.exec(line)).filter((match) => match !== null);
  if ([held, ...others].some((match) => match?.[2])) return best;
  const structured = choices.find(({ name, families }) => plain(name) === plain(label) && families.has('structured'));
  const name = held?.[1] ?? (best.families.has('structured') ? undefined : structured?.name);
  return name !== undefined && name !== name.toLowerCase() ? { ...best, name } : best;
}

export function storeName(
  page: PageEvidence,
  shop: PlatformShop,
  own: OwnHost,
  visible: VisibleText,
): { name: string; nameBasis: NameBasis } {
  if (page.isTextUnsure && own.domain) return { name: own.domain, nameBasis: 'domain' };
  const choices = choose(candidatesOf(page, shop, own, visible), page, own);
  const [best, second] = choices;
  if (best) {
    const chosen = withoutEnding(withoutSlogan(best, choices, own), choices, own, visible);
    if (isStated(best.families)) return { name: chosen.name, nameBasis: 'declared' };
    const isClear =
      best.families.has('host') ||
      best.score > (second?.score ?? 0) ||
      startsWithWords(best.name, plain(second?.name ?? ''));
    if (best.families.size >= 2 && isClear) return { name: chosen.name, nameBasis: 'observed' };
    // One trace shows the first words of a stated name. The two therefore agree.
    const longer = choices.find(({ families, name }) => isStated(families) && startsWithWords(name, plain(best.name)));
    if (longer) return { name: longer.name, nameBasis: 'declared' };
  }
  if (own.domain) return { name: own.domain, nameBasis: 'domain' };
  // A saved page without an address has no domain. Its logo or copyright line is then the best source.
  const shown = choices.find(({ families }) => families.has('logo') || families.has('copyright'));
  return shown ? { name: shown.name, nameBasis: 'observed' } : { name: 'unknown', nameBasis: 'domain' };
}
