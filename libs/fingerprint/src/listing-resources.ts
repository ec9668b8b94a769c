/** Most products that one listing request asks for; a shorter answer is the whole catalogue. */
export const shopifyPageSize = 250;
export const wooCommercePageSize = 100;

/**
 * URLs of a platform's public product listing, in the order of their worth. `origin` is `https://host[:port]`; paths
 * are absolute. Empty when the platform has no public listing: JSON-LD on the page is then the only source.
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
