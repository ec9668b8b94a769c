import type { Document, MongoClient } from 'mongodb';

export interface BuildProgress {
  /** The collection and the step of the build, in the words of the server. */
  what: string;
  done: number;
  total: number;
}

const maxTimeMs = 4_000;

/** Returns the progress of the index builds in this database. The caller needs the right `inprog`, because the server owns the builds. */
export async function readBuildProgress(client: MongoClient, database: string): Promise<BuildProgress[]> {
  const operations = await client
    .db('admin')
    .aggregate<Document>(
      [
        { $currentOp: { allUsers: true } },
        {
          $match: { 'command.createIndexes': { $exists: true }, 'command.$db': database, progress: { $exists: true } },
        },
      ],
      { readConcern: { level: 'local' }, maxTimeMS: maxTimeMs },
    )
    .toArray();
  return operations.map(({ command, msg, progress }) => ({
    // The message repeats the step with its numbers.
    what: `${command.createIndexes}: ${String(msg).split(' Index Build')[0]}`,
    done: Number(progress.done),
    total: Number(progress.total),
  }));
}
