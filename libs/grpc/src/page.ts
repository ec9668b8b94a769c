import { invalidField } from '@shopscope/errors';

const maxLimit = 200;

/** Reads one row more than the page has, to know whether there is a further page. */
export async function pageOf<Row>(
  limit: number,
  read: (limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  const found = await read(limit + 1);
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}
