import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jobText } from '../job-rows.ts';

export default {
  summary:
    'Asks for a scan of a store. Costs one refresh_requested, unless a scan of it is under way for the workspace.',
  usage: 'DOMAIN [--wait]',
  options: { '--wait': 'wait for the end of the scan, usually some minutes' },
  notes: 'Exit code 1 with --wait: the scan failed. It stays billed.',
  examples: ['scan matched.test --wait'],
  positionals: '<DOMAIN>',
  async run({ terminal, positionals: [domain = ''], options, client: makeClient, print }) {
    const client = await makeClient();
    const signal = terminal.interrupted;
    const asked = await client.requestScan(domain, { signal });
    const maxWaitMs = 60 * 60_000;
    const job = options.wait ? await client.waitForJob(asked.id, { signal, timeoutMs: maxWaitMs }) : asked;
    await print(job, () => jobText(job));
    return job.state === 'failed' ? exitCodes.unexpected : exitCodes.ok;
  },
} satisfies Command;
