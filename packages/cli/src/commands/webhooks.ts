import type { Client, components } from '@shopscope/client';
import type { Call, Command } from '../command.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { given, limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { write } from '../terminal.ts';
import { attemptText, isSuccess } from '../webhooks/delivery-text.ts';
import { memberNames, memberOptions, membersOf } from '../webhooks/members.ts';
import { replay } from '../webhooks/replay.ts';
import { showDeliveries } from '../webhooks/show-deliveries.ts';
import { webhookHeadings, webhookRow, webhookText } from '../webhooks/webhook-text.ts';

type Schemas = components['schemas'];
type Update = Schemas['WebhookUpdate'];

const usageText =
  'Usage: shopscope webhooks [show ID | create URL | update ID | pause ID | resume ID | delete ID | test ID | rotate ID | replay ID | deliveries ID]';
/** The options of each verb. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  show: [],
  create: memberNames.filter((name) => name !== 'url'),
  update: memberNames,
  pause: [],
  resume: [],
  delete: [],
  test: ['events'],
  rotate: ['overlapHours'],
  replay: ['events', 'from', 'to', 'all', 'wait'],
  deliveries: ['state', 'limit'],
};

export default {
  summary: 'Webhooks: all of them, one, or a change. Events of the workspace are sent to them, signed. Free.',
  usage: usageText.slice('Usage: shopscope webhooks '.length),
  options: {
    ...memberOptions,
    '--overlap-hours <N>': 'with rotate: how long the old secret signs as well, 0 to 168 (default 24)',
    '--from <TIME>': 'with replay: the earliest event (ISO 8601), at most 30 days before --to',
    '--to <TIME>': 'with replay: the latest event. Default: now',
    '--all':
      'with replay: every event that matches the webhook now. Default: those whose delivery is failed or retrying',
    '--wait': 'with replay: wait for the end of the job',
    '--state <STATE>': 'with deliveries: pending, delivering, succeeded, retrying or failed',
    '--limit <N>': 'rows (default 50)',
  },
  repeatable: ['header'],
  notes: `create needs --events. It and rotate print the secret, which is not shown again. With update, the filters (--type to --confidence-min) and the
headers that are given replace all earlier ones. resume also ends the state disabled. test ends with exit code 1 when the answer is not 2xx.`,
  examples: [
    'webhooks create https://hooks.example/shopscope --events signal.confirmed --technology klaviyo --country DE,AT',
    "webhooks update whk_01k… --max-per-minute 60 --header 'X-Team: growth'",
    'webhooks test whk_01k…',
    'webhooks deliveries whk_01k… --state failed',
    'webhooks replay whk_01k… --from 2026-01-15T00:00:00Z --wait',
  ],
  positionals: '[VERB] [ID]',
  completes: Object.keys(optionsOf),
  async run(call) {
    const [verb, id] = call.positionals;
    requireGrammar(call);
    const members = membersOf(call.options);
    const overlap = overlapOf(call);
    const client = await call.client();
    if (verb === undefined || id === undefined) return showWebhooks(call, client);
    const signal = { signal: call.terminal.interrupted };
    const change = async (changes: Update) => showWebhook(call, await client.updateWebhook(id, changes, signal));
    switch (verb) {
      case 'show':
        return showWebhook(call, await client.getWebhook(id, signal));
      case 'create':
        return showSecret(call, await client.createWebhook({ event_types: [], ...members, url: id }, signal));
      case 'update':
        return change(members);
      case 'pause':
        return change({ state: 'paused' });
      case 'resume':
        return change({ state: 'active' });
      case 'delete':
        await client.deleteWebhook(id, signal);
        return void (await call.print({ deleted: id }, () => `Deleted ${id}.\n`));
      case 'test':
        return sendTest(call, client, id);
      case 'rotate':
        return showSecret(call, await client.rotateWebhookSecret(id, overlap, signal));
      case 'replay':
        return replay(call, client, id);
      default:
        return showDeliveries(call, (limit) =>
          client.listWebhookDeliveries(id, given({ state: call.options.state, limit }) as never, signal),
        );
    }
  },
} satisfies Command;

/** Throws UsageError for a verb that does not exist, and for options that do not belong to it. */
function requireGrammar({ positionals, options }: Call): void {
  const [verb] = positionals;
  const allowed = verb === undefined ? ['limit'] : optionsOf[verb];
  if (!allowed || positionals.length === 1) throw new UsageError(usageText);
  const names = Object.keys(options);
  const wrong = names.find((name) => !allowed.includes(name));
  if (wrong !== undefined) {
    const owners = Object.keys(optionsOf).filter((each) => optionsOf[each]?.includes(wrong));
    throw new UsageError(`--${flagOf(wrong)} belongs to ${owners.join(', ')}.`);
  }
  if (verb === 'create' && options.events === undefined) throw new UsageError('create needs --events.');
  if (verb === 'replay' && options.from === undefined) throw new UsageError('replay needs --from.');
  if (verb === 'update' && names.length === 0) {
    throw new UsageError(`Give at least one of ${memberNames.map((name) => `--${flagOf(name)}`).join(', ')}.`);
  }
}

const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function overlapOf({ options: { overlapHours } }: Call): { overlap_hours?: number } {
  if (overlapHours === undefined) return {};
  const hours = Number(overlapHours);
  if (!Number.isSafeInteger(hours) || hours < 0) throw new UsageError('--overlap-hours must be a whole number from 0.');
  return { overlap_hours: hours };
}

async function showWebhooks({ terminal, options, print, screen }: Call, client: Client): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(client.listWebhooks({ limit }, { signal: terminal.interrupted }), rows);
  await print({ data }, () => table(webhookHeadings, data.map(webhookRow), screen, 'There is no webhook.'));
}

async function showWebhook({ print }: Call, webhook: Schemas['Webhook']): Promise<undefined> {
  await print(webhook, () => webhookText(webhook));
}

/** Prints a webhook with its secret. A repeated request has none, because the response with it was lost. */
async function showSecret({ terminal, print }: Call, webhook: Schemas['WebhookWithSecret']): Promise<undefined> {
  const { id, secret } = webhook;
  await print(webhook, () => webhookText(webhook));
  const note =
    secret === null
      ? `The response with the secret was lost. \`shopscope webhooks rotate ${id}\` makes another.`
      : 'The secret is not shown again. Store it where the receiver reads it.';
  await write(terminal.stderr, `${note}\n`);
}

async function sendTest({ terminal, options, print }: Call, client: Client, id: string): Promise<number> {
  const type = options.events as Schemas['WebhookTest']['type'];
  const tested = await client.testWebhook(id, type && { type }, { signal: terminal.interrupted });
  await print(tested, () => `${tested.event.type} ${tested.event.id}\n${attemptText(tested.attempt)}`);
  return isSuccess(tested.attempt) ? exitCodes.ok : exitCodes.unexpected;
}
