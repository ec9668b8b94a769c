import { createRequire } from 'node:module';
import type { Document } from 'mongodb';

export interface SentCommand {
  databaseName: string;
  commandName: string;
  command: Document;
}

interface Connection {
  prepareCommand(databaseName: string, command: Document, options: object): { command?: Document };
}

/**
 * Calls `listen` before each command that a MongoDB client of this process sends. `listen` is called within the caller of the command.
 *
 * The driver has events for this (`monitorCommands`), which decode every reply in addition to the client. They take a tenth of the CPU of
 * the driver. Therefore this function replaces a method of the driver instead.
 */
export function watchCommands(listen: (sent: SentCommand) => void): void {
  const load = createRequire(import.meta.url);
  const { prototype } = load('mongodb/lib/cmap/connection.js').Connection as { prototype: Connection };
  const { DocumentSequence } = load('mongodb/lib/cmap/commands.js');
  const { prepareCommand } = prototype;
  prototype.prepareCommand = function (this: Connection, databaseName, command, options) {
    const message = prepareCommand.call(this, databaseName, command, options);
    // The handshake of a connection is a message without a command.
    if (message.command) listen(sentCommand(databaseName, message.command, DocumentSequence));
    return message;
  };
}

/** A bulk write has its statements in sequences instead of arrays. */
function sentCommand(
  databaseName: string,
  message: Document,
  Sequence: new () => { documents: Document[] },
): SentCommand {
  const command: Document = {};
  for (const [name, value] of Object.entries(message)) {
    command[name] = value instanceof Sequence ? value.documents : value;
  }
  return { databaseName, commandName: Object.keys(message)[0] as string, command };
}
