import type { CollectionDefinitions } from '@shopscope/mongo';
import { type Caller, callerIn, currentStack, isIgnored, isService } from './caller.ts';
import { type Database, databaseOf } from './databases.ts';
import { type Operation, operationsOf, shapeOf } from './operations.ts';
import { type Violation, violationOf } from './rules.ts';
import type { SentCommand } from './watch-commands.ts';

interface Statement {
  database: Database;
  operation: Operation;
  shape: string;
}

interface Options {
  /** The directory of the repository, with a slash at the end. */
  root: string;
  definitionsOf(database: Database): Promise<CollectionDefinitions>;
  /** Gets each shape that the services use once, if it is set. */
  record?: ((line: string) => void) | undefined;
}

/**
 * Compares commands of MongoDB clients with the declared shard keys.
 *
 * - Cost: a shape per statement. A stack is taken only of a command that violates a rule, or whose rules are not loaded yet.
 * - A service uses a database whose name does not end with the name of a service -> a message.
 * - Commands of tests and of dumps are ignored. A command whose caller is unknown counts as one of a service.
 * - Bounds: one entry per shape.
 */
export function createShardingListener({ root, definitionsOf, record }: Options) {
  const loading = new Map<Database, Promise<void>>();
  const loaded = new Map<Database, CollectionDefinitions>();
  const verdicts = new Map<string, Violation | undefined>();
  const recorded = new Set<string>();
  const waiting: { statement: Statement; stack: string }[] = [];
  let messages = new Set<string>();

  const load = (database: Database) => {
    if (!loading.has(database))
      loading.set(
        database,
        definitionsOf(database).then((definitions) => void loaded.set(database, definitions)),
      );
  };

  const verdictOf = ({ database, operation, shape }: Statement): Violation | undefined => {
    const { collection } = operation;
    const definitions = loaded.get(database);
    if (!definitions) return undefined;
    const name = `${database}.${collection} ${shape}`;
    if (verdicts.has(name)) return verdicts.get(name);
    const definition = definitions[collection];
    const verdict = definition
      ? violationOf(operation, definition, definitions)
      : { rule: 'the service has to declare the collection', source: 'libs/mongo/src/collections.ts' };
    verdicts.set(name, verdict);
    return verdict;
  };

  const judge = (statement: Statement, stackOf: () => string) => {
    const name = `${statement.database}.${statement.operation.collection}: ${statement.shape}`;
    const verdict = verdictOf(statement);
    if (!verdict && (!record || recorded.has(name))) return;
    const caller = callerIn(stackOf(), root);
    if (caller && isIgnored(caller)) return;
    if (record && !recorded.has(name)) {
      recorded.add(name);
      record(`${name}  ${placeOf(caller)}`);
    }
    if (verdict) messages.add(`${name}\n  ${verdict.rule}\n  at ${placeOf(caller)}, rule: ${verdict.source}`);
  };

  /** The tests of libraries have databases of other names. */
  const refuseUnknown = (databaseName: string) => {
    const caller = callerIn(currentStack(), root);
    if (!caller || !isService(caller)) return;
    messages.add(
      `${databaseName}: no command on it is judged
  its name must end with the name of a service
  at ${placeOf(caller)}`,
    );
  };

  const listen = ({ databaseName, commandName, command }: SentCommand) => {
    if (typeof command[commandName] !== 'string') return;
    const database = databaseOf(databaseName);
    if (!database) return refuseUnknown(databaseName);
    load(database);
    const shapes = new Set<string>();
    for (const operation of operationsOf(commandName, command)) {
      const shape = shapeOf(operation);
      const name = `${operation.collection} ${shape}`;
      if (shapes.has(name)) continue;
      shapes.add(name);
      const statement = { database, operation, shape };
      if (loaded.has(database)) judge(statement, currentStack);
      else waiting.push({ statement, stack: currentStack() });
    }
  };

  return {
    listen,
    /** Returns a message for each violation since the last call. */
    async takeMessages(): Promise<string[]> {
      await Promise.all(loading.values());
      for (const { statement, stack } of waiting.splice(0)) judge(statement, () => stack);
      const taken = [...messages];
      messages = new Set();
      return taken;
    },
  };
}

const placeOf = (caller: Caller | undefined) => (caller ? `${caller.path}:${caller.line}` : 'an unknown place');
