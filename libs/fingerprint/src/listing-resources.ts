/** The maximum number of products per listing request. A shorter response is the whole catalogue. */
export const shopifyPageSize = 250;
export const wooCommercePageSize = 100;

/**
 * Returns the URLs of a platform's public product listing. The most useful one is first.
 *
 * - `origin`: `https://host[:port]`; the paths are absolute.
 * - The platform has no public listing -> the list is empty, and the page is the only source.
 */
export function listingResources(platformSlug: string, origin: string): string[] {
  const at = (path: string): string => new URL(path, origin).href;
  switch (platformSlug) {
    case 'shopify':
      return [at(`/products.json?limit=${shopifyPageSize}&page=1`)];
    case 'woocommerce':
      return [at(`/wp-json/wc/store/v1/products?per_page=${wooCommercePageSize}`)];
    default:
      return [];
  }
}
