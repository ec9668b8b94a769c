import { canonicalizeDomain } from '@shopscope/domain-name';
import { redactApiKeys } from '@shopscope/ids';

/**
 * The path and the query of a request for the request log, without secrets:
 *
 * - A path of plain characters is kept, with API keys cut to their prefix.
 * - A domain that was sent as a URL may have a password or a token in it. The registrable domain replaces it.
 * - Another path parameter with further characters becomes its placeholder, for example `{domain}`.
 * - A path that belongs to no operation is cut before its first other character and ends with `…`.
 * - Only parameters that the operation knows keep their value. Another parameter may be a token.
 *
 * Bounds: {@link maxChars} characters for a plain path, for a path parameter and for the query.
 */
export interface LoggedPathInput {
  /** The path as it was sent, without the query. */
  path: string;
  /** The query as it was sent. */
  search: string;
  /** The values are still percent-encoded. */
  pathParams: Readonly<Record<string, string>>;
  operation: { path: string; query?: { shape: Readonly<Record<string, unknown>> } | undefined } | undefined;
}

const maxChars = 300;
const maxNameChars = 40;
const plain = /^[\w./~-]*$/;
const plainStart = /^[\w./~-]*/;
const hidden = 'HIDDEN';

export function loggedPath({ path, pathParams, operation }: LoggedPathInput): string {
  if (path.length <= maxChars && plain.test(path)) return redactApiKeys(path);
  if (!operation) return redactApiKeys(`${plainStart.exec(path)?.[0].slice(0, maxChars) ?? ''}…`);
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const sent = pathParams[name] ?? '';
    if (sent.length <= maxChars && plain.test(sent)) return sent;
    return (name === 'domain' && registrableDomainOf(sent)) || placeholder;
  });
  return redactApiKeys(filled);
}

export function loggedQuery({ search, operation }: LoggedPathInput): string {
  if (search === '') return '';
  const known = operation?.query?.shape ?? {};
  const pairs = search.slice(0, maxChars).split('&');
  const cut = search.length > maxChars;
  const shown = pairs.map((pair, index) => {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    const isWhole = !cut || index < pairs.length - 1;
    if (isWhole && Object.hasOwn(known, name)) return pair;
    // A parameter without a value may be a token itself.
    return at >= 0 && plain.test(name) && name.length <= maxNameChars ? `${name}=${hidden}` : hidden;
  });
  // A hidden value is longer than an empty pair.
  return redactApiKeys(shown.join('&')).slice(0, maxChars);
}

function registrableDomainOf(encoded: string): string | undefined {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const canonical = canonicalizeDomain(text);
  return canonical.ok ? canonical.value.domain : undefined;
}
