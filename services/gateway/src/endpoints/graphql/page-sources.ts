/** The members of a connection, from a page of REST. A cursor is signed when the document selects it, and only once. */
export interface RowPage {
  data: readonly object[];
  next_cursor: string | null;
  /** Returns the cursor that continues after the row. */
  cursorAt(index: number): string;
}

export function connectionOf({ data, next_cursor, cursorAt }: RowPage, after: string | undefined) {
  const signed = new Map<number, string>();
  const cursorOf = (index: number) => {
    const known = signed.get(index) ?? cursorAt(index);
    signed.set(index, known);
    return known;
  };
  return {
    get edges() {
      return data.map((node, index) => ({
        node,
        get cursor() {
          return cursorOf(index);
        },
      }));
    },
    pageInfo: {
      hasNextPage: next_cursor !== null,
      hasPreviousPage: after !== undefined,
      get startCursor() {
        return data.length === 0 ? null : cursorOf(0);
      },
      get endCursor() {
        return next_cursor ?? (data.length === 0 ? null : cursorOf(data.length - 1));
      },
    },
  };
}
