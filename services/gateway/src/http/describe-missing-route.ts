import { sanitized } from '@shopscope/text';
import type { OperationIndex } from './operation-index.ts';

/**
 * The message of a 404 for a method and path that the contract does not have. Where possible, it names the correct request:
 * another method, the path without a trailing or doubled slash, or a URL that is percent-encoded as one segment.
 */
const maxShown = 200;
const storesPath = '/v1/stores/';
const exampleUrl = 'https://shop.example/';
const urlStart = /^\/v1\/stores\/https?(?::|%3a)\//i;
const hostWithPath = /^\/v1\/stores\/[^/.]+\.[^/]+\//;

export function describeMissingRoute(index: OperationIndex, method: string, path: string): string {
  const methods = index.methodsOf(path);
  if (methods.length > 0) {
    return `${method} is not served on ${sanitized(path, maxShown)}; this path has ${sentenceOf(methods)}.`;
  }
  const isUrl = urlStart.test(path);
  const plain = withoutExtraSlashes(path);
  if (!isUrl && plain !== path && index.methodsOf(plain).length > 0) {
    const extra = path.includes('//') ? 'doubled' : 'trailing';
    return `Write the path without a ${extra} slash: ${sanitized(plain, maxShown)}`;
  }
  if (isUrl || hostWithPath.test(path)) {
    const segment = encoded(path.slice(storesPath.length));
    return `A domain or URL is one segment of the path; percent-encode it: ${storesPath}${segment}`;
  }
  return `There is no path ${sanitized(path, maxShown)}; GET /v1 lists those that are served.`;
}

function sentenceOf(methods: readonly string[]): string {
  const last = methods.at(-1) as string;
  return methods.length === 1 ? last : `${methods.slice(0, -1).join(', ')} and ${last}`;
}

/** The running time is linear in the length of `path`. */
function withoutExtraSlashes(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`;
}

/**
 * Percent-encodes a URL. A client or proxy may have merged the slashes after the scheme, and a library may have encoded
 * only the colon. A URL that is too long to repeat is replaced by an example.
 */
function encoded(domain: string): string {
  const url = domain.replace(/^(https?)(?::|%3a)\/*/i, '$1://');
  let segment: string;
  try {
    segment = encodeURIComponent(decodeURIComponent(url));
  } catch {
    return encodeURIComponent(exampleUrl);
  }
  return segment.length > maxShown ? encodeURIComponent(exampleUrl) : segment;
}
