/** The product token (RFC 9309) of this robot. Never change it: the rules of existing robots.txt files would no longer apply. */
export const robotName = 'ShopscopeBot';

/** Returns the User-Agent header. `infoUrl` is the page about the robot. It is optional, because a URL that returns 404 would mislead. */
export function userAgentOf(infoUrl: string | undefined): string {
  const product = `${robotName}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${infoUrl})`;
}
