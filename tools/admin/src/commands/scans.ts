import { hourMs } from '@shopscope/clock';
import { newId, newTraceparent } from '@shopscope/ids';
import type { Command, Console } from '../command.ts';
import { createProgress, number } from '../corpus/progress.ts';
import { CommandError } from '../errors.ts';
import { single } from '../output/output.ts';
import { readDomains } from '../scans/domain-file.ts';
import { type QueuedScans, queueScans } from '../scans/queue-scans.ts';
import { interrupted, maxReportedLines } from './corpus.ts';

const defaultSkippedHours = 24;

export const scansCommands: readonly Command[] = [
  {
    words: 'scans queue',
    summary: 'Queues scans of the domains of a file, after all scans that somebody asks for',
    note: 'No workspace is billed. Interrupted at any point, the same command continues',
    operand: { name: 'FILE', help: 'one domain per line' },
    options: {
      'skip-visited-hours': {
        value: 'N',
        help: `leaves out domains that were visited in the last N hours (default: ${defaultSkippedHours}; 0: only those of the last seconds)`,
      },
      'skip-invalid': {
        value: '',
        help: 'skips lines that are not domains, and reports them; without it nothing is queued when there is one',
      },
    },
    async run({ 'scan-scheduler': scheduler }, { operand: path, has, count }, console) {
      const skippedHours = count('skip-visited-hours') ?? defaultSkippedHours;
      const invalid = await checkLines(path, has('skip-invalid'), console);
      const abort = console.interruption();
      const progress = createProgress({ console, verb: 'sent', service: 'scan-scheduler' });
      const startedMs = performance.now();
      const requestId = newId('req');
      let done: QueuedScans = { domains: 0, repeated: 0, queued: 0, live: 0, visited: 0, resting: 0 };
      try {
        done = await queueScans({
          scheduler,
          domains: readDomains({ path, onInvalid: () => {}, onRead: progress.onRead }),
          skipVisitedSinceMs: skippedHours === 0 ? 0 : Date.now() - skippedHours * hourMs,
          abort,
          origin: { requestId, traceparent: newTraceparent(), environment: null },
          onRetry: progress.onRetry,
          onProgress(counts) {
            done = counts;
            progress.update({ stores: counts.domains });
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
        file: path,
        domains,
        repeated,
        invalid_lines: invalid,
        queued,
        already_live: live,
        visited_recently: visited,
        resting,
        seconds: Math.round((performance.now() - startedMs) / 100) / 10,
        request_id: requestId,
      };
      if (!abort.aborted) return { ...single(summary), failed: invalid > 0 };
      return interrupted(console, summary, 'To continue, run the same command again.');
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
  for await (const _ of readDomains({ path, onInvalid }));
  if (invalid === 0 || skips) return invalid;
  throw new CommandError(
    `${number(invalid)} ${invalid === 1 ? 'line is not a domain' : 'lines are not domains'}; nothing was queued. ` +
      'Correct the file and run the same command again, or add --skip-invalid.',
  );
}
