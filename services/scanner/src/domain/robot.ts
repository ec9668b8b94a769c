/** Name under which robots.txt may address this robot. It never changes, or sites' rules would no longer apply. */
export const robotName = 'ShopscopeBot';

/**
 * How the robot names itself to sites. `infoUrl` is a page about it; without one the name stands alone, because an address
 * that answers 404 tells a site's owner less than none.
 */
export function userAgentOf(infoUrl: string | undefined): string {
  const product = `${robotName}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${infoUrl})`;
}
