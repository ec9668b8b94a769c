const shape = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The host and port of a Host header or an authority, in the form of `URL.host`: lower case, without the default port of `protocol`.
 * Undefined if the text is not a host.
 */
export function canonicalHost(text: string, protocol: string): string | undefined {
  const url = `${protocol}//${text}`;
  return shape.test(text) && URL.canParse(url) ? new URL(url).host : undefined;
}

/** The authority and the rest of a request target in absolute form (RFC 9112, 3.2.2); undefined for every other form. */
export function splitAbsoluteTarget(target: string): { authority: string; rest: string } | undefined {
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  return { authority, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
