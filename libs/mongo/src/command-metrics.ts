import { Histogram, latencyBuckets, type Registry } from '@shopscope/telemetry';
import type { CommandFailedEvent, CommandSucceededEvent, MongoClient } from 'mongodb';

/** Commands with a time series each; all others (hello, endSessions, …) share one. */
const named = new Set(['find', 'insert', 'update', 'delete', 'aggregate', 'findAndModify', 'commitTransaction']);

/** Measures each command of a client that was created with `monitorCommands`. */
export function measureCommands(client: MongoClient, registry: Registry): void {
  const duration = new Histogram({
    name: 'mongodb_command_duration_seconds',
    help: 'Duration of commands, by command and outcome',
    labelNames: ['command', 'outcome'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  const observe = (outcome: string) => (event: CommandSucceededEvent | CommandFailedEvent) => {
    const command = named.has(event.commandName) ? event.commandName : 'other';
    duration.observe({ command, outcome }, event.duration / 1_000);
  };
  client.on('commandSucceeded', observe('ok'));
  client.on('commandFailed', observe('failed'));
}
