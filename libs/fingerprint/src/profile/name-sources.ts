import { Element } from 'domhandler';
import { bodyThemes } from '../inventory/markup.ts';
import { isObject } from '../json.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import { clean, plain } from './name-text.ts';
import type { OwnHost } from './own-host.ts';
import type { VisibleText } from './visible-text.ts';

/** The places of a page that name its site. Each function returns texts as the page has them, within bounds. */
const holder =
  /(?:©|\(c\)|copyright)[\s:©,]{0,6}(?:\(c\)|copyright|by|©)?[\s:,]{0,4}(?:(?:19|20)\d\d(?:\s?[-–—/,]\s?(?:(?:19|20)?\d\d|present|today|heute))?)?[\s,.:|•–—-]{0,6}(?:by\s|©\s?|copyright\s|bản quyền thuộc(?: về)?\s)?([^©\n]{2,90})/iu;
const holderEnd =
  /\s*(?:[|•·\n(<]|\s[-–—]\s|\.\s|,?\s(?:all|tutti|todos|tous|alle|wszelkie|всі|все|toate|minden|všechna|alla)\s(?:rights?|i diritti|los derechos|os direitos|droits|rechte(?:n)?|prawa|права|drepturile|jog|práva|rättigheter).*|\sv\d|\sby\s|\s(?:reserved|designed|powered|design|made|theme|website)\b|[,;]?\s(?:19|20)\d\d|\.$|,\s)/iu;
const ahead = /^([^©\n]{2,60}?)[\s,–—-]{0,3}(?:©|\(c\)\s|copyright ©)\s{0,2}(?:(?:19|20)\d\d|copyright)/iu;

const tradeName = /\s(?:d\/?b\/?a|t\/a|trading as|doing business as)\s{1,3}([^\n]{2,60})/i;

/** Words around the holder in languages that state the rights in a sentence. Only the Persian sentence has a verb at its end. */
const shopWord = '(?:(?:فروشگاه|وب ?سایت|سایت|شرکت|شركة|متجر|موقع|חברת)\\s{1,3})?';
const rightsInPersian = new RegExp(
  `^(?:تمامی|تمام|کلیه|کلیهٔ|همه)ی? حقوق[^\\n]{0,60}?(?:متعلق به|مربوط به)\\s{1,3}${shopWord}`,
  'u',
);
const endInPersian = /\s{1,3}(?:است|می[\s\u200c]?باشد)(?:\s|[.!]|$).*$/u;
const rightsOf = new RegExp(
  `^(?:(?:جميع|كافة|كل) الحقوق محفوظة\\s{1,3}(?:لـ\\s?|لدى\\s|ل(?=(?:متجر|موقع|شركة)\\s))?|כל הזכויות שמורות\\s{1,3}(?:ל-?\\s?)?)${shopWord}`,
  'u',
);

/**
 * Returns the holder of the rights. In Arabic the preposition is joined to the name, and names may begin with the same letter. Both forms
 * are therefore returned, and another source of the page decides.
 */
function rightsHolders(text: string): string[] {
  const held = text.replace(rightsInPersian, '');
  if (held !== text) return [held.replace(endInPersian, '')];
  const name = text.replace(rightsOf, '');
  return name !== text && /^ل\p{L}/u.test(name) && text.endsWith(` ${name}`) ? [name, name.slice(1)] : [name];
}

const notHolder =
  /^(?:(?:19|20)\d\d|all rights.*|.{0,24}\b(?:powered|designed|developed|created|made|built|software)\b.*)$/i;

/** Returns the holders in the copyright lines at the end of the page. */
export function copyrightHolders({ foot }: VisibleText, metas: PageEvidence['metas']): string[] {
  const found: string[] = [];
  const lines = foot.split('\n');
  const stated = metas.get('copyright')?.[0];
  for (const line of [...lines.slice(-80).reverse(), ...(stated ? [`© ${stated}`] : [])]) {
    if (found.length >= 3 || !/©|\(c\)|copyright/i.test(line)) continue;
    const text = line.slice(0, 300);
    const after = holder.exec(text)?.[1];
    const before = ahead.exec(text)?.[1];
    for (const part of [after, before]) {
      if (!part) continue;
      for (const held of rightsHolders(part)) {
        // A company states its trade name after its own name.
        const traded = (tradeName.exec(held)?.[1] ?? held).replace(/^powered by opencart\s{1,3}/i, '');
        const end = traded.search(holderEnd);
        const name = clean(end > 0 ? traded.slice(0, end) : traded);
        if (name && name.length <= 60 && !notHolder.test(name)) found.push(name);
      }
    }
  }
  return found;
}

const isHomeLink = ({ attribs }: Element, host: string, page: URL | undefined): boolean => {
  const href = (attribs.href ?? '').trim();
  if (attribs.rel === 'home' || /^(?:\/|\.\/|(?:\.\.\/){1,8})?(?:index\.(?:html?|php))?(?:\?.{0,40})?$/.test(href))
    return href !== '' || attribs.rel === 'home';
  const own = host.replace(/^www\./, '');
  if (own === '' || !href.includes(own)) return false;
  // OpenCart links its front page by its route, even in a folder. Links into other folders lead to other sites on the host.
  const match =
    /^(?:https?:)?\/\/([^/?#]{3,120})(?:$|(?=[?#])|\/)(?:[a-z]{2}(?:[-_][a-z]{2})?\/?|index\.(?:html?|php)|([^?#]{0,120})\?route=common\/home)?$/i.exec(
      href,
    );
  const folder = match?.[2]?.replace(/[^/]*$/, '') ?? '';
  const isAround = folder === '' || page === undefined || `${page.pathname}/`.startsWith(`/${folder}`);
  return match !== null && isAround && match[1]?.replace(/^www\./, '') === own;
};

/** Returns alternative texts of the logo, and the texts of links to the front page that have the class of a brand. */
export function logoTexts({ document, url }: PageEvidence, { host }: OwnHost): string[] {
  const texts: string[] = [];
  const add = (text: string | undefined): void => {
    if (!text || texts.length >= 12) return;
    const name = text.slice(0, 300).replace(/\b(?:logo|icon|image|link|header|footer)\b|(?<=\p{Ll})Logo\b/giu, ' ');
    if (/[\p{L}\p{N}]{2}/u.test(name) && !/\.(?:png|jpe?g|svg|gif|webp)$/i.test(text.trim())) texts.push(name);
  };
  const isBrandClass = ({ attribs }: Element): boolean =>
    /(?:^|[\s_-])(?:logo|brand|site-?title|site-?name|navbar-brand|shop-?name|store-?name|blog-?title)(?:$|[\s_-])/i.test(
      `${(attribs.class ?? '').slice(0, 200)} ${(attribs.id ?? '').slice(0, 80)}`,
    );
  for (const link of document.byTag('a').slice(0, 800)) {
    const home = isHomeLink(link, host, url);
    if (!home && /^https?:/i.test(link.attribs.href ?? 'http')) continue;
    const branded = isBrandClass(link) || (link.parent instanceof Element && isBrandClass(link.parent));
    if (!home && !branded) continue;
    const images = [
      ...below(link, 5)
        .filter(({ name }) => name === 'img')
        .take(3),
    ];
    for (const image of images) add(image.attribs.alt);
    if (branded || images.length > 0) {
      add(link.attribs.title);
      // A drawing in a logo has its own title. Each further drawing beside it has another one. The first title belongs to the logo.
      const picture = below(link, 7).find(({ name }) => name === 'title');
      const text = textOf(picture ?? link, 80);
      if (text.length <= 60) add(text);
    }
  }
  for (const image of document.byTag('img').slice(0, 60)) {
    const { alt, src = '', class: names = '', id = '' } = image.attribs;
    if (alt && /\blogo\b/i.test(`${alt} ${names} ${id}`) && /logo/i.test(`${src} ${names} ${id}`)) add(alt);
  }
  for (const name of ['site-title', 'site-name', 'site-branding', 'shop-name'])
    for (const element of document.byClass(name).slice(0, 2)) add(textOf(element, 60));
  return texts;
}

/** Yields the elements below `part` down to `levels` levels, and at most the first twelve children of each. */
function* below(part: Element, levels: number): Generator<Element> {
  for (const child of part.children.slice(0, 12)) {
    if (!(child instanceof Element)) continue;
    yield child;
    if (levels > 1) yield* below(child, levels - 1);
  }
}

const sites = /^(?:WebSite|OnlineStore|Store)$/;
const organizations =
  /^(?:Organization|LocalBusiness|Corporation|OnlineBusiness|NewsMediaOrganization|NGO|\w*Store|\w*Shop|Restaurant)$/;
// Organizations in these members are not the store.
const others =
  'brand manufacturer author creator itemReviewed reviewedBy sponsor organizer performer location provider parentOrganization subOrganization worksFor memberOf hiringOrganization affiliation seller offeredBy'.split(
    ' ',
  );

/** Returns organizations and people that an object of structured data names besides the store. */
export function othersIn(value: Record<string, unknown>): Record<string, unknown>[] {
  return others.flatMap((member) => {
    const other = value[member];
    return (Array.isArray(other) ? other.slice(0, 20) : [other]).filter(isObject);
  });
}

const publications =
  /^(?:\w{0,20}Article|BlogPosting|Recipe|HowTo|Report|Review|VideoObject|PodcastEpisode|Book|CreativeWork)$/;

/** Returns publishers inside of articles. A publisher is mostly the site, and sometimes the author of a copied text. */
export const publisherNames = ({ jsonLd }: PageEvidence): string[] =>
  jsonLd
    .filter(({ types, value }) => isObject(value.publisher) && types.some((type) => publications.test(type)))
    .slice(0, 6)
    .map(({ value }) => textMember(value.publisher as Record<string, unknown>, 'name'))
    .filter((name) => name !== undefined);

export function structuredNames({ jsonLd }: PageEvidence): string[] {
  const foreign = new Set<unknown>();
  const foreignIds = new Set<unknown>();
  for (const { types, value } of jsonLd) {
    if (types.some((type) => publications.test(type))) foreign.add(value.publisher);
    for (const other of othersIn(value)) {
      foreign.add(other);
      if (other['@id'] !== undefined) foreignIds.add(other['@id']);
    }
  }
  const named = (test: RegExp): string[] =>
    jsonLd
      .filter(
        ({ types, value }) =>
          !foreign.has(value) && !foreignIds.has(value['@id']) && types.some((type) => test.test(type)),
      )
      .slice(0, 6)
      .flatMap(({ value }) => [textMember(value, 'name'), textMember(value, 'alternateName')])
      .filter((name) => name !== undefined);
  return [...named(sites), ...named(organizations)];
}

const feedWords = /\s{0,3}(?:[»›|–-]\s)?\b(?:comments?\s)?(?:rss(?: 2\.0)?|atom|feed|kommentar-feed|flux)\b.{0,40}$/i;

export function feedTitles({ document }: PageEvidence): string[] {
  return (
    document
      .byTag('link')
      .filter(({ attribs }) => attribs.title && /rss\+xml|atom\+xml|opensearch/i.test(attribs.type ?? ''))
      .slice(0, 4)
      .map(({ attribs }) => (attribs.title ?? '').slice(0, 300))
      // The feed of one article has the title of the article.
      .filter((title) => / » | › /.test(title) || feedWords.test(title))
      .map((title) => title.split(/ » | › /)[0]?.replace(feedWords, '') ?? '')
      .filter((title) => title !== '')
  );
}

const profile =
  /^(?:https?:)?\/\/(?:www\.|[a-z]{2}-[a-z]{2}\.|m\.)?(?:facebook|instagram|twitter|x|pinterest|tiktok|youtube)\.com\/(?:@|user\/|c\/|channel\/|pages\/)?([\w.-]{3,50})\/?(?:\?.{0,100})?$/i;
const freeMail =
  /^(?:gmail|googlemail|hotmail|outlook|yahoo|live|icloud|aol|gmx|web|mail|t-online|wp|o2|onet|interia|example|domain|email|protonmail|sapo|libero|free|orange|qq|163)\./i;

/** Returns names of social profiles, and of domains of e-mail addresses, as one word. They only support other names. */
export function handles({ document }: PageEvidence): { social: Set<string>; mail: Set<string> } {
  const social = new Set<string>();
  const mail = new Set<string>();
  for (const { attribs } of document.byTag('a')) {
    const href = attribs.href ?? '';
    if (social.size + mail.size > 30) break;
    const handle = profile.exec(href.slice(0, 200))?.[1];
    if (handle && !/^(?:sharer?|share|intent|pin|home|dialog|hashtag|plugins|profile\.php|watch)/i.test(handle))
      social.add(plain(handle));
    const host = /^mailto:[^@?]{1,64}@([a-z0-9.-]{4,120})/i.exec(href)?.[1];
    if (host && !freeMail.test(host)) mail.add(plain(host.split('.').at(-2) ?? ''));
  }
  return { social, mail };
}

/** Themes that many shops have. Their demo content and credits put the theme's name into titles and copyright lines. */
const commonThemes =
  'astra avada basel betheme blocksy botiga dawn debut divi electro enfold flatsome generatepress helloelementor journal journal3 kadence kallyas martfury neve oceanwp porto salient shopkeeper shoptimizer storefront the7 thegem twentytwenty twentytwentyone twentytwentytwo twentytwentythree twentytwentyfour uncode woodmart wokiee wolmart xstore zilla shella minimog ella fastor claue kalles';

/** Returns the names of the page's themes and of common themes, for comparison. */
export const themeNames = ({ document }: PageEvidence): Set<string> =>
  new Set([...commonThemes.split(' '), ...bodyThemes(document).map((theme) => plain(theme.replace(/-theme$/i, '')))]);

const credit =
  /\b(?:powered by|(?:theme|template|design|designed|developed|development|website|web ?design|site|built|made|created|realizado por|desenvolvido por|realizzato da|réalisé par|umsetzung)(?: (?:by|with|on|von|par|da|por))?)\s?:?\s([^\n|.,©]{2,40})/gi;
/** Matches "Website powered by" and "Site designed and developed by". */
const secondCredit =
  /^(?:[a-z]{4,9} (?:and|&) )?(?:powered|designed|developed|created|made|built|hosted) (?:by|with) /i;
const maxCredits = 8;

/** Returns names in credits of the footer ("Theme by"), each as one word. */
export function creditedNames({ foot }: VisibleText): string[] {
  const found: string[] = [];
  const text = foot.slice(-2500);
  for (const { 0: whole, 1: name = '', index } of text.matchAll(credit)) {
    if (found.length >= maxCredits) break;
    // "Website: tea-house.vn" is the address of the store itself.
    const isAddress = /^(?:web ?)?site\s?:/i.test(whole) && /^\.[a-z]{2}/i.test(text.slice(index + whole.length));
    if (isAddress) continue;
    found.push(plain(name.replace(secondCredit, '')));
  }
  return found;
}
