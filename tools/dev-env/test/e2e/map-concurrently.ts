/** Returns the results of `run` in the order of the items. At most `maxConcurrent` calls run at a time. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  maxConcurrent: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const waiting = items.entries();
  const results: Result[] = [];
  const work = async () => {
    for (const [n, item] of waiting) results[n] = await run(item);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  return results;
}
