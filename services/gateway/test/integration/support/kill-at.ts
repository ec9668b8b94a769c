import { registerHooks } from 'node:module';

/**
 * A module that a process loads first. The process then kills itself when it reaches a line of one source file, because a step between
 * two calls cannot be seen from outside.
 *
 * - The text is not in the file, or there more than once -> the process does not start.
 */
const { searchParams } = new URL(import.meta.url);
const file = searchParams.get('file') ?? '';
const text = searchParams.get('text') ?? '';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${file}`)) return loaded;
    const parts = String(loaded.source).split(text);
    if (parts.length !== 2) throw new Error(`${file} has the text "${text}" ${parts.length - 1} times`);
    return { ...loaded, source: parts.join(`process.kill(process.pid, 'SIGKILL'); ${text}`) };
  },
});
