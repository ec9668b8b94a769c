import { type Coalescer, createCoalescer } from '../coalesce.ts';

/**
 * Gathers what one event-loop turn asks into one call per workspace, each answered by itself: where a neighbour may have
 * to wait for something of one workspace, nobody else's shares that call. `call` answers parallel to its items.
 */
export function createPerWorkspace<Item, Result>(options: {
  maxBatch: number;
  workspaceOf(item: Item): string;
  call(items: Item[]): Promise<Result[]>;
}): Coalescer<Item, Result> {
  const { maxBatch, workspaceOf, call } = options;
  const turns = createCoalescer<Item, { answer: Promise<Result> }>({
    maxBatch,
    async call(items) {
      const answers = new Map<Item, Promise<Result>>();
      for (const ofWorkspace of Map.groupBy(items, workspaceOf).values()) {
        const results = call(ofWorkspace);
        for (const [n, item] of ofWorkspace.entries()) answers.set(item, results.then(nth(n)));
      }
      return items.map((item) => ({ answer: answers.get(item) as Promise<Result> }));
    },
  });
  return {
    load: async (item) => {
      const { answer } = await turns.load(item);
      return answer;
    },
  };
}

const nth =
  (n: number) =>
  <Result>(results: Result[]): Result => {
    if (n >= results.length) throw new Error(`a call had ${results.length} results, fewer than items`);
    return results[n] as Result;
  };
