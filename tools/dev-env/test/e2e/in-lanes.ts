/** The results of `run` in the order of the items. At most `atATime` calls are in progress. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  atATime: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const waiting = items.entries();
  const results: Result[] = [];
  const lane = async () => {
    for (const [n, item] of waiting) results[n] = await run(item);
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return results;
}
