import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openImageCheck } from './check.ts';
import type { Image } from './replay.ts';
import { runSystem } from './system.ts';

/**
 * `npm run check:images [-- FOLDER …]`: builds the images of all packages, or of the given ones, by replaying the
 * Dockerfile without Docker, and checks their contents. With all packages it also runs the system of compose.yaml from
 * these images.
 */
const root = resolve(import.meta.dirname, '../../../..');
const say = (line: string) => process.stdout.write(`${line}\n`);

const maxShown = 20;

async function main(wanted: readonly string[]): Promise<number> {
  if (process.platform !== 'linux') {
    say('The steps of the Dockerfile are Linux commands; build the images with Docker here.');
    return 75;
  }
  const images = openImageCheck(root);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('stopped')));
  const unknown = wanted.filter((folder) => !images.packages.includes(folder));
  if (unknown.length > 0) {
    say(`There is no image of ${unknown.join(', ')}; there are ${images.packages.join(', ')}.`);
    return 2;
  }
  const built = new Map<string, Image>();
  let failed = 0;
  try {
    for (const folder of wanted.length > 0 ? wanted : images.packages) {
      stop.signal.throwIfAborted();
      const startedMs = performance.now();
      const { image, installed, problems } = await images.check(folder);
      built.set(folder, image);
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      say(`${folder}: ${installed} packages, ${problems.length} problems, ${seconds} s`);
      for (const problem of problems.slice(0, maxShown)) say(`  ${problem}`);
      if (problems.length > maxShown) say(`  and ${problems.length - maxShown} more`);
      failed += problems.length;
    }
    if (failed > 0 || wanted.length > 0) return failed > 0 ? 1 : 0;
    const startedMs = performance.now();
    await runSystem({ root, compose: images.compose, images: built, say, abort: stop.signal });
    say(`the system of compose.yaml ran from these images, ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    images.close();
  }
}

process.exitCode = await main(parseArgs({ allowPositionals: true }).positionals);
