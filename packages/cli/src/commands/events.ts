import type { Command } from '../command.ts';
import { readCursor } from '../cursor-file.ts';
import { eventLine } from '../event-rows.ts';
import { eventsFrom, sinceMsOf } from '../event-source.ts';
import { write } from '../terminal.ts';

export default {
  summary: 'Events of the workspace, oldest first: signals of watched stores, scans, jobs, allowance. Free.',
  usage: '[--follow] [--since TIME] [--type TYPES] [--watchlist ID] [--cursor-file FILE]',
  options: {
    '--follow': 'wait for further events and print them as they come, until Ctrl-C, with exit code 0',
    '--since <TIME>': 'only events from this instant (ISO 8601). Default: all of the last 30 days',
    '--type <TYPES>': 'only events of these types; commas separate several',
    '--watchlist <ID>': 'only signals that reached the workspace by this watchlist, and its own changes',
    '--cursor-file <FILE>': 'continue after the last run with this file, and store the position there',
  },
  notes: 'With --json each event is one line of JSON.',
  examples: [
    'events --since 2026-01-15T00:00:00Z --type signal.confirmed',
    'events --follow --json --cursor-file shopscope.cursor',
  ],
  async run({ terminal, options, json, client: makeClient }) {
    const { type, watchlist, cursorFile } = options;
    const follow = options.follow === 'true';
    const sinceMs = sinceMsOf(options.since);
    const client = await makeClient();
    const events = eventsFrom(client, {
      after: cursorFile && (await readCursor(cursorFile)),
      sinceMs,
      types: type?.split(','),
      watchlistId: watchlist,
      follow,
      cursorFile,
      signal: terminal.interrupted,
    });
    try {
      for await (const event of events)
        await write(terminal.stdout, json ? `${JSON.stringify(event)}\n` : eventLine(event));
    } catch (error) {
      // A follower has no other end. Its last page is printed and its place is stored.
      if (!(follow && terminal.interrupted.aborted)) throw error;
    }
  },
} satisfies Command;
