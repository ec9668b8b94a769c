import type { MongoClient } from 'mongodb';

/** Whether the server is the router of a sharded cluster. */
export async function isMongos(client: MongoClient): Promise<boolean> {
  return (await client.db('admin').command({ hello: 1 })).msg === 'isdbgrid';
}
