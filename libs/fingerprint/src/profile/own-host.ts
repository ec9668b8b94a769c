import { canonicalizeDomain, siteOf } from '@shopscope/domain-name';
import type { PageEvidence } from '../page/evidence.ts';

/** The facts about a store's host that its name and country need. An empty text means unknown. */
export interface OwnHost {
  host: string;
  /** The registrable domain. On a shared domain such as myshopify.com, it is the host of the store. */
  domain: string;
  /** The registrable domain without its public suffix. */
  label: string;
  /** The folder of the host in which the site's software is installed: "/demo/shop1". Empty if it is the root or unknown. */
  folder: string;
}

/** Folders in which platforms keep their own files. The part before them is the folder of the whole site. */
const platformFolder =
  /^(\/[^?#]{0,200}?)?\/(?:wp-content|wp-includes|skin\/frontend|(?:pub\/)?static\/(?:version\d{1,12}\/)?frontend|js\/(?:varien|mage|prototype)|catalog\/view)\//;
/** A part of each address in which {@link platformFolder} finds a folder. It is tested first, because parsing an address is slower. */
const platformWord = /wp-|frontend|varien|mage|prototype|catalog/;
const maxFiles = 60;

/**
 * The folder of the first platform file that the page loads from its own host. If the page is outside of that folder, only the site's
 * software has a folder of its own ("/wp"), and the result is empty.
 */
function folderOf({ scripts, assets }: PageEvidence, url: URL | undefined): string {
  if (!url) return '';
  for (const file of [...scripts.slice(0, maxFiles).map((script) => script.url), ...assets.slice(0, maxFiles)]) {
    if (!platformWord.test(file) || !URL.canParse(file, url.href)) continue;
    const { host, pathname } = new URL(file, url);
    const folder = host === url.host ? platformFolder.exec(pathname)?.[1] : undefined;
    if (folder !== undefined) return url.pathname.startsWith(`${folder}/`) ? folder : '';
  }
  return '';
}

/** Returns the domain of a host or an address in one spelling. Any other text is returned in lower case. */
export const registrable = (text: string): string => {
  const result = canonicalizeDomain(text);
  return result.ok ? result.value.domain : text.toLowerCase();
};

const mirrored = /<!-- Mirrored from ([a-z0-9.-]{3,120})(?:\/|\s)/i;

/** The host of the page. For a saved page without an address, the host that its canonical link, base or mirroring tool names. */
export function ownHost(page: PageEvidence): OwnHost {
  const { url, document, metas, html } = page;
  // The base of links has the lowest precedence, because a page may load its parts from another host.
  const base = document.byTag('base')[0]?.attribs.href;
  const stated = [document.canonical, metas.get('og:url')?.[0], base]
    .filter((text) => text !== undefined && URL.canParse(text))
    .map((text) => new URL(text as string))
    .find(({ hostname }) => hostname.includes('.'));
  const address = url?.hostname ? url : stated;
  const host = address?.hostname || (mirrored.exec(html.slice(0, 4000))?.[1]?.toLowerCase() ?? '');
  const { domain, suffix } = siteOf(host) ?? { domain: host.replace(/^www\./, ''), suffix: '' };
  return {
    host,
    domain,
    label: suffix && domain.endsWith(`.${suffix}`) ? domain.slice(0, -suffix.length - 1) : domain,
    folder: folderOf(page, address),
  };
}
