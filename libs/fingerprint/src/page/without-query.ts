/** Returns an address without its query and its fragment. `split` by an expression takes several times as long. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
