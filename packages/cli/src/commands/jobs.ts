import type { Command } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { jobHeadings, jobRow, jobText } from '../job-rows.ts';
import { given, limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'Scans that the workspace asked for, newest first; one of them; or the cancellation of one. Free.',
  usage: '[ID | cancel ID] [--state STATE] [--limit N]',
  options: {
    '--state <STATE>': 'queued, running, succeeded, failed or canceled',
    '--limit <N>': 'rows (default 50)',
  },
  notes: 'A queued job that is canceled gives its unit back. A running one stays billed.',
  examples: ['jobs --state failed', 'jobs job_01k…', 'jobs cancel job_01k…'],
  positionals: '[ID] [ID]',
  completes: ['cancel'],
  async run({ terminal, positionals: [first, second], options, client: makeClient, print, screen }) {
    if ((first === 'cancel') !== (second !== undefined)) throw new UsageError('Usage: shopscope jobs cancel ID');
    const client = await makeClient();
    const signal = terminal.interrupted;
    if (first !== undefined) {
      const job =
        second === undefined ? await client.getJob(first, { signal }) : await client.cancelJob(second, { signal });
      await print(job, () => jobText(job));
      return;
    }
    const { rows, limit } = limitOf(options.limit);
    const query = given({ state: options.state, limit });
    const data = await take(client.listJobs(query as never, { signal }), rows);
    await print({ data }, () => table(jobHeadings, data.map(jobRow), screen, 'There is no such job.'));
  },
} satisfies Command;
