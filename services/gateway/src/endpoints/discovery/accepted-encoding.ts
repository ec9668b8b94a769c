/**
 * Returns the encoding that a client prefers (RFC 9110, section 12.5.3). Of equal encodings it returns br, because br is the smallest.
 * Undefined stands for no encoding. It is also returned if the header is absent or invalid.
 */
export function acceptedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  if (typeof header !== 'string') return undefined;
  const weights = new Map<string, number>();
  for (const entry of header.toLowerCase().split(',')) {
    const match = /^\s*([a-z*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/.exec(entry);
    if (match?.[1]) weights.set(match[1], Number(match[2] ?? 1));
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  const isPreferred = weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0);
  return isPreferred ? best : undefined;
}
