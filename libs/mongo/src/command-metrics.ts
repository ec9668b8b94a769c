import { latencyBuckets, metricsOf, type Registry } from '@shopscope/telemetry';
import type { CommandFailedEvent, CommandSucceededEvent, MongoClient } from 'mongodb';

/** Each of these commands has its own time series. All others (hello, endSessions, …) share one. */
const named = new Set(['find', 'insert', 'update', 'delete', 'aggregate', 'findAndModify', 'commitTransaction']);

/** Measures each command of a client that was created with `monitorCommands`. */
export function measureCommands(client: MongoClient, registry: Registry): void {
  const duration = metricsOf(registry).histogram(
    'mongodb_command_duration_seconds',
    'Duration of commands, by command and outcome',
    latencyBuckets,
    ['command', 'outcome'],
  );
  const observe = (outcome: string) => (event: CommandSucceededEvent | CommandFailedEvent) => {
    const command = named.has(event.commandName) ? event.commandName : 'other';
    duration.observe({ command, outcome }, event.duration / 1_000);
  };
  client.on('commandSucceeded', observe('ok'));
  client.on('commandFailed', observe('failed'));
}
