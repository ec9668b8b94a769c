type Encoding = 'br' | 'gzip';

/**
 * Returns the encoding of the offered ones that a client prefers (RFC 9110, section 12.5.3). Of equal encodings it returns the first one: br is
 * the smallest.
 * Undefined stands for no encoding. It is also returned if the header is absent or invalid.
 */
export function acceptedEncoding(
  header: string | string[] | undefined,
  offered: readonly Encoding[] = ['br', 'gzip'],
): Encoding | undefined {
  if (typeof header !== 'string') return undefined;
  const weights = new Map<string, number>();
  for (const entry of header.toLowerCase().split(',')) {
    const match = /^\s*([a-z*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/.exec(entry);
    if (match?.[1]) weights.set(match[1], Number(match[2] ?? 1));
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = [...offered].sort((a, b) => weightOf(b) - weightOf(a))[0];
  const isPreferred = best && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0);
  return isPreferred ? best : undefined;
}
