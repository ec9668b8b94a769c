import type { Element } from 'domhandler';
import { oncePer } from '../once.ts';
import { isInNoscript, isInside } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { siteOf } from '../page/own-urls.ts';
import { scriptedTargets } from './script-redirect.ts';

/** An address to which a page leads by itself. */
export interface PageRedirect {
  by: 'refresh' | 'script' | 'frame' | 'form';
  /** The address as the page writes it. Empty for the page itself. */
  target: string;
}

/** A page with a longer delay refreshes its contents. */
const maxDelayS = 30;
const maxTargetChars = 2_048;
const maxCodeChars = 20_000;
const maxRedirects = 20;

/** The syntax of the HTML standard: seconds, then a separator, then an address with or without `url=`. */
const refreshed =
  /^\s{0,20}(?:(\d{1,6})[\d.]{0,20}|\.[\d.]{0,20})(?:\s{0,20}|(?=[;,\s])\s{0,20}[;,]?\s{0,20}(?:url\s{0,5}=\s{0,5})?(.{0,2048}))$/isu;

function refreshOf(content: string): PageRedirect | undefined {
  const [seconds, delay = '0', rest = ''] = refreshed.exec(content.slice(0, maxTargetChars)) ?? [];
  if (seconds === undefined || Number(delay) > maxDelayS) return undefined;
  const target = rest.trim();
  const quoted = /^(["'])(.*?)(?:\1|$)/su.exec(target);
  return { by: 'refresh', target: (quoted?.[2] ?? target).trim() };
}

const loadCode = (document: PageEvidence['document']): string =>
  document
    .byTag('body')
    .slice(0, 2)
    .map(({ attribs }) => attribs.onload ?? '')
    .join('\n');

const submits = /\bsubmit\(\)|\.submit\b/;
const isHiddenForm = (form: Element, document: PageEvidence['document']): boolean =>
  ['input', 'select', 'textarea'].every((name) =>
    document
      .byTag(name)
      .every(
        (field) =>
          field.attribs.type === 'hidden' ||
          field.attribs.type === 'submit' ||
          !isInside(field, (around) => around === form),
      ),
  );
/** All addresses to which the page leads by itself, by precedence. Those in `noscript` do not count, because browsers run scripts. */
export const redirectsOf = oncePer(readRedirects);

function readRedirects({ headers, document, inline, url }: PageEvidence): readonly PageRedirect[] {
  const refreshes = [
    ...(headers.get('refresh') ?? []),
    ...document
      .byTag('meta')
      .filter((meta) => /^refresh$/i.test(meta.attribs['http-equiv']?.trim() ?? '') && !isInNoscript(meta))
      .map(({ attribs }) => attribs.content ?? ''),
  ].flatMap((content) => refreshOf(content) ?? []);
  const code = `${inline.slice(0, maxCodeChars)}\n${loadCode(document).slice(0, 2_000)}`;
  const { targets, reloads: isReloaded } = scriptedTargets(code, url);
  const scripted = targets.map((target): PageRedirect => ({ by: 'script', target }));
  const reloads: PageRedirect[] = isReloaded ? [{ by: 'script', target: '' }] : [];
  const forms = submits.test(code)
    ? document
        .byTag('form')
        .filter((form) => isHiddenForm(form, document))
        .map(({ attribs }): PageRedirect => ({ by: 'form', target: attribs.action ?? '' }))
    : [];
  const frames = [...document.byTag('frame'), ...document.byTag('iframe')]
    .filter((frame) => !isInNoscript(frame) && !isHiddenFrame(frame))
    .map(({ attribs }): PageRedirect => ({ by: 'frame', target: attribs.src ?? attribs['data-src'] ?? '' }));
  return [...refreshes, ...scripted, ...reloads, ...forms, ...frames].slice(0, maxRedirects);
}

const isHiddenFrame = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined ||
  /^[01](?:px)?$/.test(attribs.width ?? '') ||
  /^[01](?:px)?$/.test(attribs.height ?? '') ||
  /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden/i.test(attribs.style ?? '');

/** Returns the address of a redirect: `self` for the page itself, undefined if the target is not a web address. */
export function addressOf({ target }: PageRedirect, { url, document }: PageEvidence): URL | 'self' | undefined {
  if (target === '') return 'self';
  if (!url || target.length > maxTargetChars) return undefined;
  const base = document.byTag('base').find(({ attribs }) => attribs.href !== undefined)?.attribs.href ?? '';
  const found = URL.parse(target, URL.parse(base, url.href)?.href ?? url.href);
  if (!found || !/^https?:$/.test(found.protocol)) return undefined;
  found.hash = '';
  const self = new URL(url.href);
  self.hash = '';
  return found.href === self.href ? 'self' : found;
}

export const isSameSite = (one: URL, other: URL): boolean => siteOf(one.hostname) === siteOf(other.hostname);
