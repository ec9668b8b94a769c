import { testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { expect, it, onTestFinished } from 'vitest';
import { type SentCommand, watchCommands } from '../src/sharding/watch-commands.ts';

it('the shardability check sees each command of each client with its documents, and also in transactions', async () => {
  const namespace = testNamespace('watch-commands');
  const name = namespace.databaseName('watched');
  const sent: SentCommand[] = [];
  watchCommands((each) => {
    if (each.databaseName === name) sent.push(each);
  });
  const client = await MongoClient.connect(namespace.mongoUrl);
  onTestFinished(async () => {
    await client.close();
    await namespace.cleanup();
  });
  const lists = client.db(name).collection('lists');
  await lists.insertMany([{ n: 1 }, { n: 2 }]);
  await client.withSession((session) =>
    session.withTransaction(() => lists.updateOne({ n: 1 }, { $set: { n: 3 } }, { session })),
  );
  expect(await lists.find({ n: 3 }).toArray()).toHaveLength(1);
  expect(sent.map(({ commandName, command }) => [commandName, command[commandName]])).toEqual([
    ['insert', 'lists'],
    ['update', 'lists'],
    ['find', 'lists'],
  ]);
  const [insert, update, find] = sent.map(({ command }) => command);
  expect(insert?.documents).toMatchObject([{ n: 1 }, { n: 2 }]);
  expect(update).toMatchObject({ updates: [{ q: { n: 1 } }], autocommit: false });
  expect(find).toMatchObject({ filter: { n: 3 } });
});
