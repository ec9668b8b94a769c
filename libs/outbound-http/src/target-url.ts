import type { TestHosts } from './test-hosts.ts';

/** Longer URLs are refused, because they are probably an attack on a parser. */
export const maxUrlLength = 2_048;

/** Why a URL cannot be the target of a sender, in texts for the people who wrote it. */
export const urlProblemTexts = {
  malformed: 'The URL is not valid.',
  too_long: `The URL has more than ${maxUrlLength} characters.`,
  not_https: 'The URL must begin with https://.',
  has_credentials: 'The URL must contain neither a user nor a password.',
} as const;

export type UrlProblem = keyof typeof urlProblemTexts;

/** The URL parser removes some of these characters, so that the URL would not be the one that people see. */
const spaceOrControl = /[\s\p{Cc}]/u;

/** Parses the URL of a sender. The result has no fragment and no final dot of its host name. Plain http is for test hosts only. */
export function parseTargetUrl(
  text: string,
  testHosts: TestHosts,
): { url: URL; problem?: never } | { url?: never; problem: UrlProblem } {
  if (text.length > maxUrlLength) return { problem: 'too_long' };
  const url = spaceOrControl.test(text) ? null : URL.parse(text);
  if (!url || url.port === '0') return { problem: 'malformed' };
  url.hash = '';
  // A name with a final dot is the same name. TLS and the Host header must use one form.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && testHosts.find(url.hostname))) {
    return { problem: 'not_https' };
  }
  return url.username === '' && url.password === '' ? { url } : { problem: 'has_credentials' };
}
