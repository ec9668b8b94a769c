import { parse } from 'tldts';

/**
 * Reads copies of whole sites by HTTrack. It writes links to other copied hosts as paths: `../../cdn.example.com/a.js`. Such a path names a
 * host only in pages with the comment that HTTrack leaves.
 */
const signature = /<!-- Mirrored from ([a-z0-9.-]{4,253})[/ ][^\n]{0,2000}? by HTTrack/i;
const pathWithHost = /^(?:\.\.\/){1,20}((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(\/.*)$/i;

/** HTTrack puts this comment around its own element. It stays even if a later tool has removed the line with the source. */
const ownElement = '<!-- Added by HTTrack -->';

export const isMirrored = (comments: string): boolean => comments.includes(ownElement) || signature.test(comments);

/** The host that the page is a copy of. */
export const mirroredHost = (comments: string): string | undefined => signature.exec(comments)?.[1]?.toLowerCase();

/** Returns the URL that the path replaced. Any other text is unchanged. */
export function originalUrl(path: string): string {
  const [, host = '', rest = ''] = pathWithHost.exec(path) ?? [];
  return host !== '' && parse(host).isIcann ? `https://${host.toLowerCase()}${rest}` : path;
}

/** HTTrack appends four digits and `.html` to a file that a server sent as HTML, or that it did not find: `a.min7ba1.html`. */
export const scriptUrl = (url: string): string => url.replace(/([a-z][\w.-]{0,80}[0-9a-f]{4})\.html(?=$|\?)/i, '$1.js');

/** HTTrack puts the page's name before addresses without a scheme: `"index.html\/\/cdn.example.com\/a.js"`. */
const prefixedUrl = /(?<=["'`])index\.html(?=\\?\/\\?\/[a-z0-9-]{1,63}\.)/gi;

const quotedPath = /(?<=["'`])(?:\.\.\/){1,20}(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}\/[^\s"'`<>\\]{1,400}(?=["'`])/gi;

/** Returns code in which such paths are URLs again. */
export const withOriginalUrls = (code: string): string =>
  code.replace(prefixedUrl, '').replace(quotedPath, originalUrl);
