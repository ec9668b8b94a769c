import { hourMs } from '@shopscope/clock';
import { newId, newTraceparent } from '@shopscope/ids';
import type { Command, Console } from '../command.ts';
import { createProgress, number, type Progress } from '../corpus/progress.ts';
import { CommandError } from '../errors.ts';
import { single } from '../output/output.ts';
import { readDomains } from '../scans/domain-file.ts';
import { type QueuedScans, queueScans } from '../scans/queue-scans.ts';

const defaultSkippedHours = 24;
/** Invalid lines that are printed one by one. The summary has the number of all. */
const maxReportedLines = 20;
const retryReportMs = 5_000;

export const scansCommands: readonly Command[] = [
  {
    words: 'scans queue',
    summary: 'Queues scans of the domains of a file, after all scans that somebody asks for',
    note: 'No workspace is billed. Interrupted at any point, the same command continues',
    operand: { name: 'FILE', help: 'one domain per line' },
    options: {
      'skip-visited-hours': {
        value: 'N',
        help: `leaves out domains that were visited in the last N hours (default: ${defaultSkippedHours}; 0: none but those of the last seconds)`,
      },
      'skip-invalid': {
        value: '',
        help: 'skips lines that are no domain, and reports them; without it nothing is queued when there is one',
      },
    },
    async run({ 'scan-scheduler': scheduler }, { operand: path, has, count }, console) {
      const skippedHours = count('skip-visited-hours') ?? defaultSkippedHours;
      const invalid = await checkLines(path, has('skip-invalid'), console);
      const abort = console.interruption();
      const progress = createProgress({
        write: console.report,
        isTerminal: console.isTerminal,
        columns: console.columns,
        verb: 'sent',
      });
      const startedMs = performance.now();
      const requestId = newId('req');
      let share = 0;
      let done: QueuedScans = { domains: 0, repeated: 0, queued: 0, live: 0, visited: 0, resting: 0 };
      try {
        done = await queueScans({
          scheduler,
          domains: readDomains({
            path,
            onInvalid: () => {},
            onRead: (bytes, size) => {
              share = size === 0 ? 1 : bytes / size;
            },
          }),
          skipVisitedSinceMs: skippedHours === 0 ? 0 : Date.now() - skippedHours * hourMs,
          abort,
          origin: { requestId, traceparent: newTraceparent() },
          onRetry: onRetry(progress),
          onProgress(counts) {
            done = counts;
            progress.update({ stores: counts.domains, share });
          },
        });
      } catch (error) {
        progress.end();
        if (done.domains > 0) {
          console.report(`${number(done.queued)} scans are queued. To continue, run the same command again.\n`);
        }
        throw error;
      }
      progress.end();
      const { domains, repeated, queued, live, visited, resting } = done;
      const summary = {
        ...{ file: path, domains, repeated, invalid_lines: invalid },
        ...{ queued, already_live: live, visited_recently: visited, resting },
        seconds: Math.round((performance.now() - startedMs) / 100) / 10,
        request_id: requestId,
      };
      if (!abort.aborted) return { ...single(summary), failed: invalid > 0 };
      console.report('Interrupted. To continue, run the same command again.\n');
      return { ...single(summary), interrupted: true };
    },
  },
];

/** Reads the whole file before anything is queued. Returns the number of invalid lines. */
async function checkLines(path: string, skips: boolean, console: Console): Promise<number> {
  let invalid = 0;
  const onInvalid = (line: number, problem: string) => {
    invalid += 1;
    if (invalid <= maxReportedLines) console.report(`${path}: line ${line}: ${problem}${skips ? '; skipped' : ''}\n`);
  };
  try {
    for await (const _ of readDomains({ path, onInvalid }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(`There is no file ${path}.`);
    throw code === 'EISDIR' ? new CommandError(`${path} is a folder.`) : error;
  }
  if (invalid === 0 || skips) return invalid;
  throw new CommandError(
    `${number(invalid)} ${invalid === 1 ? 'line is' : 'lines are'} no domain; nothing was queued. ` +
      'Correct the file and run the same command again, or add --skip-invalid.',
  );
}

/** One line per outage, not per call. */
function onRetry(progress: Progress): () => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < retryReportMs) return;
    reportedAtMs = nowMs;
    progress.note('scan-scheduler does not answer; trying again');
  };
}
