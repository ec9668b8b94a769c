import themes from '../data/shopify-themes.rules.json' with { type: 'json' };

/** A theme of Shopify; see `data/shopify-themes.yaml`. The names become slugs of the vocabulary. Any other theme is a `custom-theme`. */
export interface ShopifyTheme {
  name: string;
  vendor?: string;
  ids?: number[];
}

export const shopifyThemes: readonly ShopifyTheme[] = themes;

/** Names by the number in `Shopify.theme.theme_store_id`. */
export const shopifyThemeIds: ReadonlyMap<number, string> = new Map(
  shopifyThemes.flatMap(({ name, ids = [] }) => ids.map((id) => [id, name] as const)),
);
