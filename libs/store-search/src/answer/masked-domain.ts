const shownCharacters = 2;
/** A shorter name would be shown whole, or almost. */
const leastLength = 5;

/**
 * Returns a registrable domain without most of its name: `no***.example`. The rest is the public suffix. A short name is hidden whole. The code
 * of an internationalized name begins with `xn--`, which says nothing of the name.
 */
export function maskedDomain(domain: string): string {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  return `${name.length < leastLength ? '' : name.slice(0, shownCharacters)}***${domain.slice(dot)}`;
}
