/** What the synchronous modules have in place of a text of the asynchronous ones, by the name of the module. */
const rows: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  client: [
    ['AsyncGenerator, AsyncIterable, Callable, Iterable', 'Callable, Generator, Iterable'],
    ['AsyncGenerator[EnrichedDomain, None]', 'Generator[EnrichedDomain, None, None]'],
    ['AsyncGenerator[types.Event, None]', 'Generator[types.Event, None, None]'],
    ['AsyncGenerator[types.StoreRow, None]', 'Generator[types.StoreRow, None, None]'],
    ['AsyncGenerator[ExportedPart, None]', 'Generator[ExportedPart, None, None]'],
    ['Iterable[str] | AsyncIterable[str]', 'Iterable[str]'],
    ['_async_driver', '_sync_driver'],
    ['AsyncApiKey', 'SyncApiKey'],
    ['AsyncDriver', 'SyncDriver'],
    ['A client belongs to one event loop of asyncio.', 'Threads may share a client.'],
    [' The function may be async.', ''],
    [
      'requests under way are cancelled. After `break`, `aclose()` does it at\n          once.\n',
      `no further request is sent, and responses under way are dropped.
        - \`domains\` is read in the thread of the consumer.
`,
    ],
    ['an `async with` block', 'a `with` block'],
    ['aclose', 'close'],
    ['__aenter__', '__enter__'],
    ['__aexit__', '__exit__'],
    ['_async_pages', '_pages'],
  ],
  pages: [
    ['AsyncIterator, Awaitable, Callable', 'Callable, Iterator'],
    ['AsyncIterator', 'Iterator'],
    ['Awaitable[P]', 'P'],
    ['`async for', '`for'],
    ['`await list', '`list'],
    ['belongs to one task', 'belongs to one thread'],
    ['__aiter__', '__iter__'],
  ],
};

/** The modules that are generated. */
export const syncModules: readonly string[] = Object.keys(rows);

/** The source of a synchronous module, which has the methods of the asynchronous one. Throws when a row has no place. */
export function syncModuleOf(name: string, source: string): string {
  let text = source;
  for (const [from, to] of rows[name] ?? []) {
    if (!text.includes(from)) throw new Error(`the asynchronous module ${name} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  const header = `# Generated from _async_${name}.py: npm run generate --workspace @shopscope/client-python\n`;
  return header + text.replaceAll(/\basync (?=def|with|for)|\bawait /g, '').replaceAll(/\bAsync(?=Client|Paged)/g, '');
}
