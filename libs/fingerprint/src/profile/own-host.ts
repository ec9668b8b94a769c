import { getDomain, getPublicSuffix } from 'tldts';
import type { PageEvidence } from '../page/evidence.ts';

/** The host of a store, as far as its name and country need it. Empty texts: unknown. */
export interface OwnHost {
  host: string;
  /** The registrable domain. On a shared domain such as myshopify.com it is the host of the store. */
  domain: string;
  /** The registrable domain without its public suffix. */
  label: string;
  /** The folder of the host in which the software of the site is installed: "/demo/shop1". Empty for the root or unknown. */
  folder: string;
}

/** Domains below which platforms and hosting companies give each site a host, and which the public suffix list lacks. */
const sharedDomains: ReadonlySet<string> = new Set(
  'mybigcommerce.com bigcartel.com squarespace.com weebly.com wordpress.com jimdo.com jimdosite.com jimdofree.com webnode.com mozello.com mystrikingly.com tilda.ws ucoz.ru umi.ru nethouse.ru strikingly.com godaddysites.com canva.site company.site myshoplaza.com shoplineapp.com youcan.shop youcan.store zid.store myinsales.ru tiu.ru prom.ua satu.kz deal.by cafe24.com waca.ec shop-pro.jp ocnk.net stores.jp thebase.in booth.pm mitiendanube.com lojavirtualnuvem.com.br lojaintegrada.com.br loja2.com.br myshoptet.com volusion.com 3dcartstores.com payhip.com gumroad.com mydukaan.io storenvy.com tictail.com zohocommerce.com mystore.no mystore4.no abicart.com ccvshop.nl shoplightspeed.com webshopapp.com mycashflow.fi myharavan.com mysapo.net bizwebvietnam.net lnwshop.com weloveshopping.com easystore.co myshopbase.net onshopbase.com shoplazza.store ekmpowershop.com myvtex.com jumpseller.com bsale.io wuiltstore.com expandcart.com shopy.pk cratejoy.com creator-spring.com teemill.com odoo.com kingeshop.com oxatis.com palbin.com over-blog.com e-monsite.com wpengine.com wpcomstaging.com kinsta.cloud myftpupload.com cloudwaysapps.com 000webhostapp.com infinityfreeapp.com epizy.com rf.gd byethost7.com atwebpages.com hostingersite.com preview-domain.com sg-host.com flywheelsites.com instawp.xyz glitch.me'.split(
    ' ',
  ),
);

/** Hosts of the platforms themselves below their domains. */
const ownOfPlatform =
  /^(?:www|apps?|help|support|blog|docs|my|login|admin|accounts?|developers?|status|community|forum)$/;

/** Folders in which platforms keep their own files. What stands before them is the folder of the whole site. */
const platformFolder =
  /^(\/[^?#]{0,200}?)?\/(?:wp-content|wp-includes|skin\/frontend|(?:pub\/)?static\/(?:version\d{1,12}\/)?frontend|js\/(?:varien|mage|prototype)|catalog\/view)\//;
/** A part of each address in which {@link platformFolder} finds a folder. Parsing an address takes longer. */
const platformWord = /wp-|frontend|varien|mage|prototype|catalog/;
const maxFiles = 60;

/**
 * The folder of the first file of a platform that the page loads from its own host. A page outside of it is of a site whose software
 * has a folder of its own ("/wp").
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

const mirrored = /<!-- Mirrored from ([a-z0-9.-]{3,120})(?:\/|\s)/i;

/** The host of the page; of a saved page without an address, the host that its canonical link, base or mirroring tool names. */
export function ownHost(page: PageEvidence): OwnHost {
  const { url, document, metas, html } = page;
  const canonical = document.byTag('link').find(({ attribs }) => attribs.rel === 'canonical')?.attribs.href;
  // The base of links is the last: a page may load its parts from another host.
  const base = document.byTag('base')[0]?.attribs.href;
  const stated = [canonical, metas.get('og:url')?.[0], base]
    .filter((text) => text !== undefined && URL.canParse(text))
    .map((text) => new URL(text as string))
    .find(({ hostname }) => hostname.includes('.'));
  const address = url?.hostname ? url : stated;
  const host = address?.hostname || (mirrored.exec(html.slice(0, 4000))?.[1]?.toLowerCase() ?? '');
  const registered = getDomain(host, { allowPrivateDomains: true }) ?? host.replace(/^www\./, '');
  const below = sharedDomains.has(registered)
    ? (host
        .slice(0, -registered.length - 1)
        .split('.')
        .at(-1) ?? '')
    : '';
  const isShared = below !== '' && !ownOfPlatform.test(below);
  const domain = isShared ? `${below}.${registered}` : registered;
  const suffix = isShared ? registered : (getPublicSuffix(domain, { allowPrivateDomains: true }) ?? '');
  return {
    host,
    domain,
    label: suffix && domain.endsWith(`.${suffix}`) ? domain.slice(0, -suffix.length - 1) : domain,
    folder: folderOf(page, address),
  };
}
