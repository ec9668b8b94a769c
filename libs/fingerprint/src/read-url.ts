/** Allows null and undefined, because the URL of a saved page may be unknown. Other values must be URLs. */
export function readUrl(url: unknown): string | null {
  if (url === undefined || url === null) return null;
  const isWeb = typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
  if (!isWeb) throw new Error('url must be an http or https address');
  return url;
}
