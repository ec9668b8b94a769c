import { decodedUri } from '../page/decoded-uri.ts';

/**
 * Whether the address of another site contains a return URL to the store. The visitor does something there and then returns. `host` is the
 * requested host of the store.
 */
const maxParameters = 60;

/** Names of parameters that have a return URL. Their values are addresses or paths. */
const returning =
  /^(?:(?:return|redirect|redir|continue|callback|success|forward|next|back|goto|destination|target|origin|referrer?|after)[-_]?(?:to|url|uri|path|page|link|location)?|(?:to|url|uri|path|page)[-_]?(?:return|redirect|back)|post[-_]?login\w*|login[-_]?(?:redirect|return)\w*|rurl|ru|dest|cb|wreply|relaystate|service|shop[-_]?url)$/i;

/** Some walls encode the address twice, or in Base64. */
const readings = (value: string): string[] => {
  const readable = /^[\w+/=-]{12,2000}$/.test(value) ? Buffer.from(value, 'base64').toString('latin1') : '';
  return [value, decodedUri(value), decodedUri(decodedUri(value)), readable];
};

export function hasReturnUrl(url: URL, host: string): boolean {
  const parameters = [...url.searchParams, ...new URLSearchParams(url.hash.replace(/^#[^?]*\??/, ''))];
  return parameters.slice(0, maxParameters).some(([name, value]) => {
    const values = readings(value);
    if (values.some((text) => leadsTo(text, host))) return true;
    return returning.test(name) && values.some((text) => /^(?:https?:)?\/\/|^\/(?!\/)/i.test(text.trim()));
  });
}

/** Whether the text is an address of the store: on its host, on a host below it, or on the host without `www.`. */
function leadsTo(text: string, host: string): boolean {
  const trimmed = text.trim();
  if (!/^(?:https?:)?\/\//i.test(trimmed)) return false;
  const target = URL.parse(trimmed, 'https://x/')?.hostname ?? '';
  const domain = host.replace(/^www\./, '');
  return target === domain || target.endsWith(`.${domain}`);
}
