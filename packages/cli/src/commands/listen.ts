import { randomBytes } from 'node:crypto';
import { type Client, signWebhook } from '@shopscope/client';
import type { Command } from '../command.ts';
import { readCursor, storeCursor } from '../cursor-file.ts';
import { eventLine } from '../event-rows.ts';
import { eventsFrom, sinceMsOf } from '../event-source.ts';
import { UsageError } from '../exit-codes.ts';
import { type Forwarded, forward } from '../listen/forward.ts';
import { webhookOf } from '../listen/webhook-of.ts';
import { write } from '../terminal.ts';

const timeoutMs = 15_000;

export default {
  summary: 'Forwards new events to an address of yours as webhooks, without a webhook or a tunnel. Free.',
  usage: '--forward-to URL [--events TYPES] [--since TIME] [--secret SECRET] [--cursor-file FILE]',
  options: {
    '--forward-to <URL>': 'the address (http or https) that gets one POST for each event',
    '--events <TYPES>': 'only events of these types; commas separate several',
    '--since <TIME>': 'also earlier events, from this instant (ISO 8601). Default: events from now on',
    '--secret <SECRET>': 'sign with this secret: whsec_ and base64. Default: a new one, which is shown',
    '--cursor-file <FILE>': 'continue after the last run with this file, and store the position there',
  },
  notes: `Events are sent one by one, in order, and once: an answer other than 2xx, or none in ${timeoutMs / 1_000} s, is printed, and the next event
follows. Redirects are not followed. Ctrl-C ends it with exit code 0.`,
  examples: [
    'listen --forward-to http://127.0.0.1:3000/webhooks',
    'listen --forward-to http://127.0.0.1:3000/webhooks --events signal.confirmed --since 2026-01-15T00:00:00Z',
  ],
  async run({ terminal, options, json, screen, client: makeClient }) {
    const url = urlOf(options.forwardTo);
    const sinceMs = sinceMsOf(options.since);
    const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`;
    await requireSecret(secret);
    const client = await makeClient();
    const { interrupted: signal, nowMs } = terminal;
    const { cursorFile } = options;
    try {
      let after = cursorFile && (await readCursor(cursorFile));
      if (!after && options.since === undefined) {
        after = await endOf(client, signal);
        if (cursorFile && after) await storeCursor(cursorFile, after);
      }
      const secretNote = options.secret === undefined ? ` The secret is ${secret}` : '';
      await write(terminal.stderr, `Forwarding to ${url.href} until Ctrl-C.${secretNote}\n`);
      const types = options.events?.split(',');
      for await (const event of eventsFrom(client, { after, sinceMs, types, follow: true, cursorFile, signal })) {
        const forwarded = await forward({ url, ...(await webhookOf(event, secret)), timeoutMs, abort: signal, nowMs });
        // The position is not stored, so the next run with the file sends this event again.
        if (signal.aborted) return;
        const { succeeded, status, error, latencyMs: latency_ms } = forwarded;
        const outcome = succeeded ? outcomeOf(forwarded) : screen.red(outcomeOf(forwarded));
        const { id: event_id, sequence, type } = event;
        const text = json
          ? JSON.stringify({ event_id, sequence, type, succeeded, status, error, latency_ms })
          : `${eventLine(event).trimEnd()}  ${outcome}`;
        await write(terminal.stdout, `${text}\n`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
} satisfies Command;

function outcomeOf({ succeeded, status, error, latencyMs }: Forwarded): string {
  const reason = error === null ? '' : `: ${error}`;
  const outcome = [status ?? [], succeeded ? [] : `failed${reason}`].flat().join(' ');
  return `→ ${outcome}, ${latencyMs} ms`;
}

function urlOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('Where to? Give --forward-to with an address.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError('--forward-to must be an address such as http://127.0.0.1:3000/webhooks.');
  if (url.username || url.password) throw new UsageError('--forward-to must have neither a user nor a password.');
  return url;
}

async function requireSecret(secret: string): Promise<void> {
  await signWebhook({ id: '', body: '', secrets: secret }).catch((error: Error) => {
    throw new UsageError(`--secret: ${error.message}.`);
  });
}

/**
 * The position after all events that exist. The type is rare, so one request passes up to 10,000 events, instead of 200
 * that match.
 */
async function endOf(client: Client, signal: AbortSignal): Promise<string | undefined> {
  let end: string | undefined;
  const onCursor = (cursor: string) => {
    end = cursor;
  };
  for await (const _ of client.events({ types: ['key.expiring'], onCursor, signal })) {
    // These events are passed like the others.
  }
  return end;
}
