import { ShopscopeError } from './errors.ts';

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null if there are no further pages. */
  readonly next_cursor: string | null;
  /** False if the next page has no item yet. Its cursor continues the list later. */
  readonly has_more?: boolean;
}

/**
 * A list that is read page by page.
 *
 * - `await list` gives the first page. `for await (const item of list)` gives all items.
 * - `list.pages()` gives all pages.
 * - A list in ascending order never has a last page. The iteration ends at the page with `has_more` false. Its
 *   `next_cursor` continues it later.
 * - A page is requested when it is needed.
 */
export interface Paged<P extends Page<unknown>> extends PromiseLike<P>, AsyncIterable<P['data'][number]> {
  pages(): AsyncGenerator<P, void, undefined>;
}

export function createPaged<P extends Page<unknown>>(read: (cursor?: string) => Promise<P>): Paged<P> {
  let first: Promise<P> | undefined;
  const readFirst = () => (first ??= read());

  async function* pages() {
    let page = await readFirst();
    for (;;) {
      yield page;
      const cursor = page.next_cursor;
      if (cursor === null || page.has_more === false) return;
      page = await read(cursor);
      if (page.next_cursor === cursor && page.has_more !== false)
        throw new ShopscopeError('the service repeated a cursor');
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list gives its first page
    then: (fulfilled, rejected) => readFirst().then(fulfilled, rejected),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}
