import { compileTechnologies } from '../../compile-technologies.ts';
import type { Finding } from '../table.ts';
import { aliases } from '../tables/aliases.ts';
import { deliveryHosts } from '../tables/delivery-hosts.ts';
import { inventory } from '../tables/inventory.ts';
import { sameProducts } from '../tables/platform-lists.ts';
import { platforms } from '../tables/platforms.ts';
import { technologies } from '../tables/technologies.ts';
import { patternsOf } from '../traces.ts';
import type { DataOf, TableFinding } from './finding.ts';
import { namedSlugs } from './names.ts';

/** Each platform is one product with one slug. Entries with the same name, website or host are one product, unless a list exempts them. */
interface Product {
  slug: string;
  name: string;
  website: string;
  /** The domains of the hosts that its traces name. */
  domains: readonly string[];
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The host and path of a website, without the parts that differ between spellings of one address. */
function siteOf(website: string): string {
  const { hostname, pathname } = new URL(website);
  return hostname.replace(/^www\./, '') + pathname.replace(/\/$/, '');
}

const hostInForm = /(?:[\w-]+\\\.)+(?:com|net|jp|in|sa|store|shop|io|vn|it|br|eu|hu|pl|de|nl)(?=\/|$|\))/g;

const domainOf = (host: string): string =>
  host
    .split('.')
    .slice(/\.com?\.\w{2}$/.test(host) ? -3 : -2)
    .join('.');

/** The domains in regular expressions for addresses and in handles such as `host:cdn.vendor.example`. */
function domainsOf(forms: readonly string[], handles: readonly string[], shared: ReadonlySet<string>): string[] {
  const hosts = [
    ...forms.flatMap((form) => form.match(hostInForm) ?? []).map((host) => host.replaceAll('\\', '')),
    ...handles.filter((handle) => handle.startsWith('host:')).map((handle) => handle.slice(5).split('/', 1)[0] ?? ''),
  ];
  return [...new Set(hosts.map(domainOf))].filter((domain) => !shared.has(domain));
}

/** Every platform with the texts that would make another entry the same product. */
function productsOf(dataOf: DataOf): Product[] {
  const shared = new Set(dataOf(deliveryHosts).map(domainOf));
  const own = dataOf(platforms);
  const ownSlugs = new Set(own.map(({ slug }) => slug));
  const named = [...dataOf(technologies), ...dataOf(inventory)].flatMap(({ slug, name, website, kind, category }) =>
    name !== undefined && website !== undefined && kind === 'platform' && category === 'ecommerce'
      ? [{ slug, name, website, forms: [] }]
      : [],
  );
  const imported = compileTechnologies().kept.filter(
    ({ slug, kind, retired }) => kind === 'platform' && !retired && !ownSlugs.has(slug),
  );
  const addressed = (channel: string) => channel === 'script' || channel === 'asset';
  const handles = Map.groupBy(dataOf(inventory), ({ slug }) => slug);
  const all = [
    ...own.map(({ slug, name, website, ...evidence }) => {
      const forms = patternsOf(evidence)
        .filter(({ channel }) => addressed(channel))
        .map(({ regex }) => regex);
      return { slug, name, website, forms };
    }),
    ...named,
    ...imported.map(({ slug, name, website, patterns }) => {
      const forms = patterns.filter(([channel]) => addressed(channel)).map(([, , regex]) => regex);
      return { slug, name, website, forms };
    }),
  ];
  return all.map(({ forms, ...product }) => {
    const ofInventory = (handles.get(product.slug) ?? []).flatMap((row) => row.handles);
    return { ...product, domains: domainsOf(forms, ofInventory, shared) };
  });
}

export function samePairs(products: readonly Product[]): [string, string][] {
  const keysOf = ({ name, website, domains }: Product): string[] => [
    `name ${bare(name)}`,
    `website ${siteOf(website)}`,
    ...domains.map((domain) => `host ${domain}`),
  ];
  const bySlug = Map.groupBy(
    products.flatMap((product) => keysOf(product).map((key) => ({ key, slug: product.slug }))),
    ({ key }) => key,
  );
  const pairs = new Map<string, [string, string]>();
  for (const group of bySlug.values()) {
    const [first, ...others] = [...new Set(group.map(({ slug }) => slug))].sort();
    for (const other of others) pairs.set(`${first} ${other}`, [first as string, other]);
  }
  return [...pairs.values()];
}

export function checkProducts(dataOf: DataOf): TableFinding[] {
  const listed = dataOf(sameProducts);
  const isListed = (one: string, other: string): boolean =>
    listed.some(({ slugs }) => slugs.includes(one) && slugs.includes(other));
  const unexplained = samePairs(productsOf(dataOf)).filter(([one, other]) => !isListed(one, other));
  const { all } = namedSlugs(dataOf);
  const wrong = dataOf(aliases).flatMap(({ slug, of }, index): Finding[] => [
    ...(all.has(slug) ? [{ path: [index, 'slug'], message: `${slug} is a technology` }] : []),
    ...(all.has(of) ? [] : [{ path: [index, 'of'], message: `there is no technology ${of}` }]),
  ]);
  return [
    ...unexplained.map(([one, other]) => ({
      table: aliases,
      path: [],
      message: `${one} and ${other} have one name, website or host: make one an alias of the other, or give the reason in distinct-products.yaml`,
    })),
    ...wrong.map((finding) => ({ table: aliases, ...finding })),
  ];
}
