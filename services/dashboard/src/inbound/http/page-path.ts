/** Path and query of the page that a request concerns. The client's router asks for `PATH.data`, and for `_root.data`. */
export function pagePath(originalUrl: string): string {
  const url = new URL(originalUrl.replace(/^\/+/, '/'), 'http://dashboard.invalid');
  url.searchParams.delete('_routes');
  if (url.searchParams.get('index') === '') url.searchParams.delete('index');
  const path = url.pathname.replace(/\/_root\.data$/, '/').replace(/\.data$/, '');
  return path + url.search;
}
