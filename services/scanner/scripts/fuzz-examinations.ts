import fc from 'fast-check';
import { foreignCalls, readOriginals } from '../test/integration/support/foreign-contents.ts';

/**
 * Examines foreign contents: mutated pages and listings of the demo stores, structured data, robots.txt, arbitrary bytes.
 *
 *     node --conditions=@shopscope/source --max-old-space-size=320 services/scanner/scripts/fuzz-examinations.ts [inputs] [seed]
 *
 * - The heap is that of the examiner process.
 * - Prints the longest CPU time of a call and the memory after each tenth of the inputs.
 * - A call throws or needs more than a second of CPU -> prints the seed and the path of the smallest such input; exit code 1.
 */
const inputs = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const maxCpuMs = 1_000;

const calls = foreignCalls(await readOriginals());
let done = 0;
let longestMs = 0;
fc.assert(
  fc.property(calls, (call) => {
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    longestMs = Math.max(longestMs, tookMs);
    if (tookMs > maxCpuMs) throw new Error(`a call took ${tookMs} ms of CPU`);
    done += 1;
    if (done % Math.ceil(inputs / 10) === 0) {
      const { rss, heapUsed } = process.memoryUsage();
      const [rssMb, heapMb] = [rss, heapUsed].map((bytes) => Math.round(bytes / 2 ** 20));
      process.stdout.write(
        `${done} inputs, longest call ${Math.round(longestMs)} ms, ${rssMb} MiB resident, ${heapMb} MiB heap\n`,
      );
    }
  }),
  { numRuns: inputs, seed },
);
