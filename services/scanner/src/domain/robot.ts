/** The product token (RFC 9309) of this robot. Never change it: the rules of existing robots.txt files would no longer apply. */
export const robotName = 'ShopscopeBot';

/** The User-Agent header. Without `infoUrl`, the page about the robot, it has no URL: a URL that responds 404 would mislead. */
export function userAgentOf(infoUrl: string | undefined): string {
  const product = `${robotName}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${infoUrl})`;
}
