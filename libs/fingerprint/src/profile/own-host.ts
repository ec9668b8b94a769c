import { getDomain, getPublicSuffix } from 'tldts';
import type { PageEvidence } from '../page/evidence.ts';

/** The host of a store, as far as its name and country need it. Empty texts: unknown. */
export interface OwnHost {
  host: string;
  /** The registrable domain. On a shared domain such as myshopify.com it is the host of the store. */
  domain: string;
  /** The registrable domain without its public suffix. */
  label: string;
}

const mirrored = /<!-- Mirrored from ([a-z0-9.-]{3,120})(?:\/|\s)/i;

/** The host of the page; of a saved page without an address, the host that its canonical link or mirroring tool names. */
export function ownHost({ url, document, metas, html }: PageEvidence): OwnHost {
  const canonical = document.byTag('link').find(({ attribs }) => attribs.rel === 'canonical')?.attribs.href;
  const stated = [canonical, metas.get('og:url')?.[0]]
    .filter((text) => text !== undefined && URL.canParse(text))
    .map((text) => new URL(text as string).hostname)
    .find((host) => host.includes('.'));
  const host = url?.hostname || stated || (mirrored.exec(html.slice(0, 4000))?.[1]?.toLowerCase() ?? '');
  const domain = getDomain(host, { allowPrivateDomains: true }) ?? host.replace(/^www\./, '');
  const suffix = getPublicSuffix(domain, { allowPrivateDomains: true }) ?? '';
  return {
    host,
    domain,
    label: suffix && domain.endsWith(`.${suffix}`) ? domain.slice(0, -suffix.length - 1) : domain,
  };
}
