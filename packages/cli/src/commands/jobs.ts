import type { Command } from '../command.ts';
import { writeResultsNow } from '../enrich/job-results.ts';
import { UsageError } from '../exit-codes.ts';
import { jobHeadings, jobRow, jobText } from '../job-rows.ts';
import { given, limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'Jobs of the workspace, newest first; one of them; its results; or the cancellation of one. Free.',
  usage: '[ID | results ID | cancel ID] [--state STATE] [--type TYPE] [--limit N] [-o out.csv|out.jsonl]',
  options: {
    '--state <STATE>': 'queued, running, succeeded, failed or canceled',
    '--type <TYPE>': 'scan, enrich (of lists) or replay (of webhooks)',
    '--limit <N>': 'rows (default 50)',
    '-o, --output <FILE>': 'with results: CSV, or JSON lines when it ends with .jsonl; standard output otherwise',
  },
  notes: `A queued scan that is canceled gives its unit back. A running one, and what an enrichment has done, stays billed.

Exit code 5 with results: the allowance did not suffice for some rows. 6: the job has not ended; -o then writes nothing.`,
  examples: ['jobs --state failed', 'jobs job_01k…', 'jobs results job_u1k… -o stores.csv', 'jobs cancel job_01k…'],
  positionals: '[ID] [ID]',
  completes: ['results', 'cancel'],
  async run(call) {
    const { terminal, options, print, screen } = call;
    const [first, second] = call.positionals;
    const isVerb = first === 'cancel' || first === 'results';
    if (isVerb !== (second !== undefined)) throw new UsageError('Usage: shopscope jobs [ID | results ID | cancel ID]');
    const client = await call.client();
    const signal = terminal.interrupted;
    if (first === 'results') return writeResultsNow(call, client, second ?? '');
    if (first !== undefined) {
      const job =
        second === undefined ? await client.getJob(first, { signal }) : await client.cancelJob(second, { signal });
      await print(job, () => jobText(job));
      return;
    }
    const { rows, limit } = limitOf(options.limit);
    const query = given({ state: options.state, type: options.type, limit });
    const data = await take(client.listJobs(query as never, { signal }), rows);
    await print({ data }, () => table(jobHeadings, data.map(jobRow), screen, 'There is no such job.'));
  },
} satisfies Command;
