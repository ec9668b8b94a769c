import type { StoreCount, StorePage } from '../domain/answers.ts';

/** A count that the API has made, with the token of its form. */
export interface ShownCount {
  token: string;
  count: StoreCount;
}

/** A page of rows, with what its form sent. */
export interface ShownRows {
  token: string;
  limit: string;
  /** Empty for the first page. */
  cursor: string;
  page: StorePage;
  /** The names of the chosen columns; none: the default. */
  columns: string[];
}

/** The answers to earlier forms that the page shows. */
export interface Shown {
  counted?: ShownCount | undefined;
  found?: ShownRows | undefined;
}

/** The fields of a form by which its answer keeps what the page shows. */
export const ShownFields = ({ counted, found }: Shown) => (
  <>
    {counted && <input type="hidden" name="shown_count" value={counted.token} />}
    {found && (
      <>
        <input type="hidden" name="shown_rows" value={found.token} />
        <input type="hidden" name="shown_limit" value={found.limit} />
        <input type="hidden" name="shown_cursor" value={found.cursor} />
        {found.columns.map((name) => (
          <input key={name} type="hidden" name="shown_columns" value={name} />
        ))}
      </>
    )}
  </>
);
