/** The members of a connection, from a page of REST. Cursors are signed when the document selects them. */
export interface RowPage {
  data: readonly object[];
  next_cursor: string | null;
  /** Returns the cursor that continues after the row. */
  cursorAt(index: number): string;
}

export function connectionOf({ data, next_cursor, cursorAt }: RowPage, after: string | undefined) {
  return {
    get edges() {
      return data.map((node, index) => ({
        node,
        get cursor() {
          return cursorAt(index);
        },
      }));
    },
    pageInfo: {
      hasNextPage: next_cursor !== null,
      hasPreviousPage: after !== undefined,
      get startCursor() {
        return data.length === 0 ? null : cursorAt(0);
      },
      get endCursor() {
        return next_cursor ?? (data.length === 0 ? null : cursorAt(data.length - 1));
      },
    },
  };
}
