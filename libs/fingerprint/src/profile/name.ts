import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';

/**
 * The name of the store. Sources in this order: metadata, structured data, the most likely part of the title, the host.
 */
const maxNameChars = 120;
const organizations =
  /^(?:Organization|OnlineStore|Store|LocalBusiness|Corporation|OnlineBusiness|\w*Store|\w*Shop|Brand|Restaurant)$/;

// Names are often escaped twice.
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  reg: '®',
  trade: '™',
};

function undoEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return entities[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function clean(name: string | undefined): string | undefined {
  const text = undoEntities(undoEntities(name?.slice(0, 1000) ?? ''))
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxNameChars)
    .trim();
  return text && /[\p{L}\p{N}]/u.test(text) && !/^https?:\/\//i.test(text) ? text : undefined;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const generic =
  /^(?:home|homepage|home page|welcome|start|startseite|accueil|inicio|index|shop|online shop|store|main page|untitled|password|opening soon)$/i;

/**
 * The part of "Brand | Tagline" that also occurs in the host; otherwise the first part on a home page, the last part
 * elsewhere.
 */
function fromTitle(title: string, host: string, isFrontPage: boolean): string | undefined {
  const parts = title
    .split(/\s[-–—|·•:»«]\s|\s?\|\s?|\s–\s|: /)
    .map(clean)
    .filter((part) => part !== undefined && !generic.test(part)) as string[];
  const label = plain(host.replace(/^www\./, '').split('.')[0] ?? '');
  const repeated =
    parts.find((part) => plain(part) === label) ??
    parts.find(
      (part) =>
        plain(part).length >= 3 &&
        label.length >= 3 &&
        (label.includes(plain(part)) || plain(part).includes(label)) &&
        part.length <= 40,
    );
  const chosen = repeated ?? (isFrontPage ? parts[0] : parts.at(-1));
  return clean(chosen?.replace(/^(?:welcome to|willkommen bei|bienvenue chez|bienvenidos a)\s+/i, ''));
}

export function storeName({ metas, jsonLd, document, url }: PageEvidence): string {
  const host = url?.hostname ?? '';
  const named = (test: RegExp) =>
    jsonLd
      .filter(({ types }) => types.some((type) => test.test(type)))
      .map(({ value }) => clean(textMember(value, 'name')))
      .find((name) => name !== undefined);
  const titleElement = document.byTag('title')[0];
  const title = titleElement ? textOf(titleElement, 400) : '';
  const isFrontPage = !url || /^\/(?:index\.\w{2,5}|home|password)?$/.test(url.pathname);
  return (
    clean(metas.get('og:site_name')?.[0]) ??
    named(/^(?:WebSite|OnlineStore|Store)$/) ??
    named(organizations) ??
    clean(metas.get('application-name')?.[0]) ??
    fromTitle(title, host, isFrontPage) ??
    (host.replace(/^www\./, '') || 'unknown')
  );
}
