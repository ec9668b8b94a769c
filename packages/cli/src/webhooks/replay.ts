import type { Client, WebhookReplay } from '@shopscope/client';
import type { Call } from '../command.ts';
import { exitCodes, InterruptedError } from '../exit-codes.ts';
import { jobText } from '../job-rows.ts';
import { write } from '../terminal.ts';
import { waitWithProgress } from '../wait-with-progress.ts';

/** Starts a replay, and with --wait follows its job. */
export async function replay(call: Call, client: Client, webhookId: string): Promise<number> {
  const { terminal, options, print } = call;
  const { from = '', to = new Date().toISOString(), all, events, wait } = options;
  const started = await client.replayWebhook(
    webhookId,
    {
      from,
      to,
      only: all ? 'all' : 'failed',
      ...(events !== undefined && { event_types: events.split(',') as NonNullable<WebhookReplay['event_types']> }),
    },
    { signal: terminal.interrupted },
  );
  const job = wait ? await ended(call, client, started.id) : started;
  await print(job, () => jobText(job));
  return wait && job.state !== 'succeeded' ? exitCodes.unexpected : exitCodes.ok;
}

async function ended(call: Call, client: Client, id: string) {
  try {
    return await waitWithProgress(call, client, id);
  } catch (error) {
    const goesOn = `The job continues: \`shopscope jobs ${id}\` shows it, and \`shopscope jobs cancel ${id}\` ends it.`;
    if (call.terminal.interrupted.aborted) throw new InterruptedError(goesOn);
    await write(call.terminal.stderr, `${goesOn}\n`);
    throw error;
  }
}
