/** The most stores or domains of a call that changes a list or a watchlist. */
export const maxStoresPerCall = 2_000;

/** A request has at most 256 KB. The remainder is for the other members and the punctuation. */
const maxBatchBytes = 240_000;

export interface Batch<Item> {
  /** The index of the first item in the input. */
  index: number;
  items: Item[];
}

/** Yields groups of at most `maxSize` domains or stores, in their order. Each group fits into one request. */
export async function* createBatches<Item>(
  items: AsyncIterable<Item>,
  maxSize: number,
): AsyncGenerator<Batch<Item>, void, undefined> {
  let batch: Batch<Item> = { index: 0, items: [] };
  let fits = createMeter(maxSize);
  for await (const item of items) {
    if (!fits(item)) {
      yield batch;
      batch = { index: batch.index + batch.items.length, items: [] };
      fits = createMeter(maxSize);
      fits(item);
    }
    batch.items.push(item);
  }
  if (batch.items.length > 0) yield batch;
}

/** Returns the domains or stores from `first` on that fit into one request: the batch of {@link createBatches} that begins there. */
export function batchFrom<Item>(items: readonly Item[], first: number, maxSize: number): Item[] {
  const fits = createMeter(maxSize);
  let end = first;
  while (end < items.length && fits(items[end])) end += 1;
  return items.slice(first, end);
}

/** Counts the items of one request. The returned function says whether an item fits. The first one always does. */
function createMeter(maxSize: number): (item: unknown) => boolean {
  const encoder = new TextEncoder();
  let [size, bytes] = [0, 0];
  return (item) => {
    const more = encoder.encode(JSON.stringify(item)).length + 1;
    if (size === maxSize || (size > 0 && bytes + more > maxBatchBytes)) return false;
    size += 1;
    bytes += more;
    return true;
  };
}
