import type { Command } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { given } from '../signal-rows.ts';
import { deliveryText } from '../webhooks/delivery-text.ts';
import { showDeliveries } from '../webhooks/show-deliveries.ts';

export default {
  summary:
    'Deliveries to all webhooks in the last 30 days, newest first; one of them; or one more attempt of one. Free.',
  usage: '[show ID | retry ID] [--webhook ID] [--event ID] [--state STATE] [--from TIME] [--to TIME] [--limit N]',
  options: {
    '--webhook <ID>': 'only deliveries to this webhook, which may be deleted',
    '--event <ID>': 'only deliveries of this event',
    '--state <STATE>': 'pending, delivering, succeeded, retrying or failed',
    '--from <TIME>': 'only deliveries that were made from this instant (ISO 8601)',
    '--to <TIME>': 'only deliveries that were made up to this instant',
    '--limit <N>': 'rows (default 50)',
  },
  notes:
    'show prints the attempts of a delivery. retry asks for one more attempt now, whatever the state of the delivery.',
  examples: ['deliveries --state failed', 'deliveries show dlv_01k…', 'deliveries retry dlv_01k…'],
  positionals: '[VERB] [ID]',
  completes: ['show', 'retry'],
  async run(call) {
    const [verb, id] = call.positionals;
    if (verb !== undefined && ((verb !== 'show' && verb !== 'retry') || id === undefined))
      throw new UsageError('Usage: shopscope deliveries [show ID | retry ID]');
    const client = await call.client();
    const signal = { signal: call.terminal.interrupted };
    if (verb === undefined || id === undefined) {
      const { webhook: webhook_id, event: event_id, state, from, to } = call.options;
      const query = { webhook_id, event_id, state, from, to };
      return showDeliveries(call, (limit) => client.listDeliveries(given({ ...query, limit }) as never, signal));
    }
    const delivery = verb === 'show' ? await client.getDelivery(id, signal) : await client.retryDelivery(id, signal);
    await call.print(delivery, () => deliveryText(delivery, call.screen));
    return undefined;
  },
} satisfies Command;
