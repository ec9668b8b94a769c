/** The maximum number of rows on a page of the API. */
export const maxPage = 200;
/** More than a plan allows lists or watchlists. */
const maxRows = 5_000;

/** All lists or watchlists of a workspace. The plan bounds their number, and so the pages. */
export async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) {
    all.push(row);
    if (all.length === maxRows) break;
  }
  return all;
}
