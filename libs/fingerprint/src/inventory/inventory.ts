import type { PageEvidence } from '../page/evidence.ts';
import { addApiHosts } from './api-hosts.ts';
import { addFile, addHost } from './files.ts';
import { addFolders } from './folders.ts';
import { type InventoryItem, ItemCollector } from './item.ts';
import { addGenerators, addMarkup, addModuleAddresses } from './markup.ts';
import { addShopify } from './shopify.ts';

/**
 * Reads the inventories that a page prints about itself. The table data/inventory maps handles to technologies.
 *
 * - Linear time. At most 4,000 items.
 * - A handle is unknown -> {@link unknownHandles} returns it, so that the table can be extended.
 */
const maxUnknown = 60;

/** A shop on Centra has its own host for its pictures. Other sites may show these pictures, too: `//demo.centracdn.net/client/a.jpg`. */
const pictureOfShop = /^(?:https?:)?\/\/([a-z0-9-]{3,60})\.centracdn\.net\/client\//i;

/** Whether the picture host has the name of the site: `demo.centracdn.net` on `demo.com` and on `demo-store.com`. */
function isOwnPicture(url: string, site: string): boolean {
  const name = pictureOfShop.exec(url)?.[1]?.toLowerCase();
  return (
    name !== undefined &&
    site.includes('.') &&
    site.split('.', 1)[0]?.split('-').join('').includes(name.split('-').join('')) === true
  );
}

/** The pictures of an app come from the CDN of the shop's platform. */
const isOfExtension = (url: string): boolean => /^(?:https?:)?\/\/cdn\.shopify\.com\/extensions\//.test(url);

const isPath = (url: string): boolean => !/^(?:[a-z][\w+.-]*:)?\/\//i.test(url);

/** Whether files of the page or the generator tag show WordPress. `to` has the folders of the files. */
const showsWordpress = ({ scripts, assets, metas, isOwnUrl }: PageEvidence, to: ItemCollector): boolean =>
  to.items.some(({ handles }) => handles[0]?.startsWith('wordpress-')) ||
  [...scripts.map(({ url }) => url), ...assets].some((url) => url.includes('/wp-includes/') && isOwnUrl(url)) ||
  (metas.get('generator')?.some((content) => content.startsWith('WordPress')) ?? false);

export function readInventory(evidence: PageEvidence): readonly InventoryItem[] {
  const to = new ItemCollector();
  const { inlineWords, document, site, isOwnUrl } = evidence;
  for (const { url, source } of evidence.scripts) {
    // A resource hint only announces a file. The page may never load it.
    if (source === 'hint') continue;
    const active = source !== 'gated';
    addFolders(url, 'network', to, { active, isOwnUrl });
    addFile(url, 'network', to, { active, isFallback: source === 'loader', site });
    addHost(url, site, 'network', to, active);
  }
  for (const url of evidence.assets) {
    addFolders(url, 'markup', to, { isOwnUrl });
    addFile(url, 'markup', to);
    addHost(url, site, 'markup', to);
  }
  // A page may show a picture from the folder of another site.
  for (const url of evidence.images)
    if (isPath(url) || (site && url.includes(site)) || isOfExtension(url)) addFolders(url, 'markup', to);
  const ownPicture = evidence.images.find((url) => isOwnPicture(url, site));
  if (ownPicture) addHost(ownPicture, site, 'markup', to);
  if (showsWordpress(evidence, to)) addGenerators(document, to);
  addMarkup(evidence, to);
  if (inlineWords.has('prestashop')) addModuleAddresses(document, evidence.anchors, to);
  if (inlineWords.has('Shopify')) addShopify(evidence, to);
  addApiHosts(evidence, to);
  return to.items;
}

/** Systems whose handles always name a product, with the platform that must be detected. */
const growing = Object.entries({
  'wordpress-plugin': 'wordpress',
  'wordpress-theme': 'wordpress',
  'shopify-app': 'shopify',
  'shopify-client': 'shopify',
  'magento-module': 'magento',
  'magento-theme': 'magento',
  'prestashop-module': 'prestashop',
  'opencart-theme': 'opencart',
  'opencart-extension': 'opencart',
  'shopware-bundle': 'shopware',
  'wix-app': 'wix',
  'bigcommerce-app': 'bigcommerce',
});

/** Returns handles of the page that are not in the table, sorted and bounded. `detected` has the slugs of technologies. */
export function unknownHandles(
  items: readonly InventoryItem[],
  known: ReadonlySet<string>,
  detected: ReadonlySet<string>,
): string[] {
  const unknown = new Set<string>();
  const prefixes = growing.filter(([, platform]) => detected.has(platform)).map(([system]) => `${system}:`);
  if (prefixes.length === 0) return [];
  for (const { handles } of items) {
    const [specific = ''] = handles;
    const isGrowing = prefixes.some((prefix) => specific.startsWith(prefix));
    if (isGrowing && !handles.some((handle) => known.has(handle))) unknown.add(specific);
    if (unknown.size >= maxUnknown) break;
  }
  return [...unknown].sort();
}
