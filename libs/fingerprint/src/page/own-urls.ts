import { registrableDomainOf } from '@shopscope/domain-name';
import { countOf } from '../count-of.ts';
import deliveryHosts from '../data/delivery-hosts.rules.json' with { type: 'json' };
import { once } from '../once.ts';

/**
 * Decides which addresses of a page are on its own hosts. A file that the page loads from another site, such as the script of a partner or
 * the picture of an advertised product, shows the software of that site.
 *
 * - Own addresses are paths, hosts of the same registrable domain, and hosts with the same name (`shop.de`, `shop-cdn.com`).
 * - Hosts of networks that deliver the files of any site are own, too, and addresses with the site's own domain in their path.
 * - The site of the page is unknown -> the site that most links name, unless scripts or style sheets are paths.
 */
export type OwnUrlTest = (url: string) => boolean;

const authority = /^(?:https?:)?\/\/([^/?#:@\\]{1,253})/i;

/** The offset of the path. 0 if the address has no host. */
export function pathStart(url: string): number {
  const match = /^(?:https?:)?\/\/[^/?#]{0,260}/i.exec(url);
  return match ? match[0].length : 0;
}

export const hostOfUrl = (url: string): string => authority.exec(url)?.[1]?.toLowerCase() ?? '';

/** The registrable domain of a host, or the host if it has none. */
export const siteOf = (host: string): string => registrableDomainOf(host) ?? host;

const minNameChars = 3;
const fileWords = /^(?:cdn|static|assets|media|img|images|files)-?|-?(?:cdn|static|assets|media|img|images|files)$/g;

/** The name in a registrable domain, without words for file hosts: `shop` of `shop-static.net`. */
const nameOf = (site: string): string => (site.split('.', 1)[0] ?? '').replace(fileWords, '');

const delivers = (host: string): boolean =>
  deliveryHosts.some(
    (suffix) => host.endsWith(suffix) && (host.length === suffix.length || host.at(-suffix.length - 1) === '.'),
  );

const maxLinks = 300;

/** The site that most addresses name. Empty if they name none. */
function commonSite(urls: readonly string[]): string {
  const hosts = urls.slice(0, maxLinks).map(hostOfUrl);
  const counts = countOf(hosts.filter((host) => host !== '').map(siteOf));
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as [string, number])[0];
}

/** Whether the address has `folder` before its query. */
function isInPath(url: string, folder: string): boolean {
  const at = url.indexOf(folder);
  return at !== -1 && !url.slice(0, at).includes('?');
}

const minFiles = 4;

/**
 * Returns the sites from which the page loads many files, style sheets among them, if its own hosts have none of its files. For example
 * `st.grscty.com` for `grasscity.com`.
 */
function supplierOf(own: readonly string[], hosts: readonly string[], sheets: readonly string[]): string[] {
  if (hosts.includes('')) return [];
  const counts = countOf(hosts.map(siteOf));
  if (own.some((site) => counts.has(site))) return [];
  const ofSheets = new Set(sheets.map((url) => siteOf(hostOfUrl(url))));
  return [...counts].filter(([site, count]) => count >= minFiles && ofSheets.has(site)).map(([site]) => site);
}

/** The addresses of a page. */
export interface PageAddresses {
  /** The registrable domains of the page. Some may be empty. */
  sites: readonly string[];
  scripts: readonly string[];
  sheets: readonly string[];
  links: () => string[];
}

export function ownUrlTest({ sites, scripts, sheets, links }: PageAddresses): OwnUrlTest {
  const known = new Map<string, boolean>();
  const findSites = (): string[] => {
    const stated = sites.filter((site) => site !== '');
    const hosts = [...scripts, ...sheets].map(hostOfUrl);
    if (stated.length === 0) return hosts.includes('') ? [] : [commonSite(links())].filter((site) => site !== '');
    return [...stated, ...supplierOf(stated, hosts, sheets)];
  };
  const ownSites = once(() => findSites().map((site) => ({ site, name: nameOf(site), asFolder: `/${site}/` })));
  const isOwnHost = (host: string): boolean => {
    // The domain of most hosts is not needed.
    if (!ownSites().some(({ name }) => host.includes(name))) return delivers(host);
    const site = siteOf(host);
    const name = nameOf(site);
    return (
      ownSites().some((one) => one.site === site || (name.length >= minNameChars && one.name === name)) ||
      delivers(host)
    );
  };
  return (url) => {
    const host = hostOfUrl(url);
    if (host === '') return true;
    let isOwn = known.get(host);
    if (isOwn === undefined) {
      isOwn = isOwnHost(host);
      known.set(host, isOwn);
    }
    // A service may deliver files of other sites: `https://i0.wp.com/shop.example/wp-content/a.png`.
    return isOwn || ownSites().some(({ asFolder }) => isInPath(url, asFolder));
  };
}

const maxAddressChars = 300;
const addressBefore = /(?:https?:)?(?:\\?\/){2}([\w.-]{1,253})(?::\d{1,5})?(\\?\/[^\s"'`<>()]*)?$/i;

/** The start of the address around offset `at` in a script. Empty if the text at `at` is in no path of an address. */
export const addressInCode = (text: string, at: number): string => {
  const [, host = '', path] = addressBefore.exec(text.slice(Math.max(0, at - maxAddressChars), at)) ?? [];
  const isInPath = path !== undefined || /^\\?\//.test(text.slice(at, at + 2));
  return host !== '' && isInPath ? `//${host}/` : '';
};
