import { z } from 'zod';
import type { InventoryEntry } from '../../../src/rules/tables.ts';
import { words } from '../../../src/words.ts';
import { duplicates, type Finding, type Parts, type Table, unsorted } from '../table.ts';
import { slug } from './technologies.ts';

/** The systems that handles belong to. `src/inventory` reads these handles. */
const handleSystems = words(`
  api-host api-name body-class file host image-server magento-module magento-script magento-theme
  opencart-extension opencart-theme prestashop-module prestashop-prefix prestashop-theme release sfcc-controller
  shopify-app shopify-client shopify-pixel shopify-settings shopware-bundle wix-app wordpress-folder
  wordpress-handle wordpress-namespace wordpress-plugin wordpress-prefix wordpress-theme
`);

const name = z.string().min(1);
const handle = z
  .string()
  .refine((text) => text === text.toLowerCase(), 'handles are in lower case')
  .refine(
    (text) => handleSystems.some((system) => text.startsWith(`${system}:`) && text.length > system.length + 1),
    `a handle is SYSTEM:NAME, with one of the systems ${handleSystems.join(', ')}`,
  );

const row = z.strictObject({
  slug,
  name: name.exactOptional(),
  kind: z.enum(['platform', 'app', 'service', 'theme']).exactOptional(),
  category: slug.exactOptional(),
  vendor: name.exactOptional(),
  website: z.url().exactOptional(),
  requires: z.array(slug).min(1).exactOptional(),
  /** The public document that states the handles. */
  source: z.union([z.literal('unsourced'), z.url()], 'the URL of a document, or unsourced'),
  /** Empty if another row names the product. The slug is public, and therefore stays in the vocabulary. */
  handles: z.array(handle),
});

export type InventoryRow = z.infer<typeof row>;

const inDirectory = /^https:\/\/wordpress\.org\/(plugin|theme)s\/([^/]+)\/$/;

/** Finds handles that their source does not state. A page of the WordPress directory states only the folder in its address. */
const unstated = (rows: readonly InventoryRow[]): Finding[] =>
  rows.flatMap(({ source, handles }, index) => {
    if (!source.startsWith('https://wordpress.org/')) return [];
    const stated = source.replace(inDirectory, 'wordpress-$1:$2');
    return handles
      .filter((handle) => handle !== stated)
      .map((handle) => ({ path: [index, 'handles'], message: `${source} does not state ${handle}` }));
  });

const misfiled = (rows: readonly InventoryRow[], { partOf }: Parts): Finding[] =>
  rows.flatMap(({ category }, index) =>
    category === undefined || category === partOf(index)
      ? []
      : [{ path: [index, 'category'], message: `belongs into ${category}.yaml` }],
  );

export const inventory: Table<InventoryRow[]> = {
  source: 'inventory',
  output: 'inventory',
  schema: z.array(row),
  check: (rows, parts) => [
    ...duplicates(rows, 'handles', ({ handles }) => handles),
    ...unsorted(rows, 'slug', ({ slug }) => slug, parts),
    ...misfiled(rows, parts),
    ...unstated(rows),
  ],
  compile: (rows) =>
    rows
      .toSorted((one, other) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0))
      .map(({ source, vendor, ...rest }): InventoryEntry => {
        const named = rest.name === undefined ? {} : { vendor: vendor ?? rest.name };
        return { ...rest, ...named, ...(source === 'unsourced' && { unsourced: true as const }) };
      }),
};
