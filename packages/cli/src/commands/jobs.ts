import type { Command } from '../command.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { jobHeadings, jobRow, jobText } from '../job-rows.ts';
import { given, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { screenOf } from '../terminal.ts';

const command: Command = {
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
  async run({ terminal, positionals: [first, second], options, client: makeClient, print }) {
    if ((first === 'cancel') !== (second !== undefined)) throw new UsageError('Usage: shopscope jobs cancel ID');
    const client = await makeClient();
    const signal = terminal.interrupted;
    if (first !== undefined) {
      const job =
        second === undefined ? await client.getJob(first, { signal }) : await client.cancelJob(second, { signal });
      await print(job, () => jobText(job));
      return exitCodes.ok;
    }
    const rows = Number(options.limit ?? 50);
    if (!Number.isSafeInteger(rows) || rows < 1) throw new UsageError('--limit must be a whole number from 1.');
    const query = given({ state: options.state, limit: Math.min(rows, 200) });
    const data = await take(client.listJobs(query as never, { signal }), rows);
    await print({ data }, () =>
      data.length === 0
        ? 'There is no such job.\n'
        : table(jobHeadings, data.map(jobRow), screenOf(terminal.stdout, terminal.env)),
    );
    return exitCodes.ok;
  },
};
export default command;
