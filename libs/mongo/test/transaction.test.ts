import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { AppError, isRetryable } from '@shopscope/errors';
import {
  CommitUnknownError,
  connectMongo,
  ensureCollections,
  isDuplicateKey,
  type Mongo,
  type Tx,
  withTransaction,
} from '@shopscope/mongo';
import { mongoOptions, testNamespace } from '@shopscope/testing';
import { type ClientSession, MongoError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

interface Counter {
  _id: string;
  n: number;
}

function labelled(label: string): MongoError {
  const error = new MongoError('as if the network had failed');
  error.addErrorLabel(label);
  return error;
}

describe('a transaction', () => {
  const namespace = testNamespace('mongo-transaction');
  let mongo: Mongo;
  const counters = () => mongo.db.collection<Counter>('counters');
  const add = (n: number, session: ClientSession) =>
    counters().updateOne({ _id: 'a' }, { $inc: { n } }, { session, upsert: true });
  const total = async () => (await counters().findOne({ _id: 'a' }))?.n ?? 0;

  beforeAll(async () => {
    mongo = await connectMongo(mongoOptions(namespace, 'transactions'));
    const indexes = [{ key: { unique: 1 }, options: { unique: true, sparse: true } }] as const;
    await ensureCollections(mongo.db, { counters: { indexes, unsharded: 'test' } });
  });
  beforeEach(() => counters().deleteMany({}));
  afterAll(async () => {
    await mongo.close();
    await namespace.cleanup();
  });

  it('a transaction runs again on a write conflict, so that no concurrent change is lost', async () => {
    await counters().insertOne({ _id: 'a', n: 0 });
    let runs = 0;
    const increment = () =>
      withTransaction(
        mongo,
        async ({ session }) => {
          runs += 1;
          const found = await counters().findOne({ _id: 'a' }, { session });
          await counters().updateOne({ _id: 'a' }, { $set: { n: (found?.n ?? 0) + 1 } }, { session });
        },
        { attempts: 100 },
      );
    await Promise.all(Array.from({ length: 12 }, increment));
    expect(await total()).toBe(12);
    expect(runs).toBeGreaterThan(12);
  });

  it('a transaction writes nothing when its work fails, and rejects with the same error', async () => {
    const refusal = new AppError('payment_required', 'The allowance is used up.');
    const work = async ({ session }: Tx) => {
      await add(1, session);
      throw refusal;
    };
    await expect(withTransaction(mongo, work)).rejects.toBe(refusal);
    expect(await total()).toBe(0);
  });

  it('a transaction rejects with the duplicate-key error of the driver by default', async () => {
    await counters().insertOne({ _id: 'a', n: 0 });
    let runs = 0;
    const error = await withTransaction(mongo, (tx) => {
      runs += 1;
      return counters().insertOne({ _id: 'a', n: 1 }, tx);
    }).catch((thrown: unknown) => thrown);
    expect(runs).toBe(1);
    expect(isDuplicateKey(error)).toBe(true);
  });

  it('a transaction runs again after a duplicate key with retryDuplicateKeys, and then reads the concurrent write', async () => {
    let runs = 0;
    let reads = 0;
    const bothHaveRead = Promise.withResolvers<void>();
    const insertOrAdd = () =>
      withTransaction(
        mongo,
        async (tx) => {
          runs += 1;
          const found = await counters().findOne({ _id: 'a' }, { ...tx });
          // Both transactions read before one of them inserts.
          if (++reads === 2) bothHaveRead.resolve();
          await bothHaveRead.promise;
          if (found) await counters().updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { ...tx });
          else await counters().insertOne({ _id: 'a', n: 1 }, { ...tx });
        },
        { retryDuplicateKeys: true },
      );
    await Promise.all([insertOrAdd(), insertOrAdd()]);
    expect(await total()).toBe(2);
    expect(runs).toBeGreaterThan(2);
  });

  it('a transaction runs at most five times when every run causes a duplicate key', async () => {
    await counters().insertOne({ _id: 'a', n: 0 });
    let runs = 0;
    const insert = (tx: Tx) => {
      runs += 1;
      return counters().insertOne({ _id: 'a', n: 1 }, tx);
    };
    const error = await withTransaction(mongo, insert, { retryDuplicateKeys: true }).catch((thrown: unknown) => thrown);
    expect(isDuplicateKey(error)).toBe(true);
    expect(runs).toBe(5);
    expect(await total()).toBe(0);
  });

  it('a transaction does not run again after a duplicate key when its deadline has expired', async () => {
    await counters().insertOne({ _id: 'a', n: 0 });
    const deadline = createDeadline(10_000, { clock: new ManualClock() });
    let runs = 0;
    const insert = async (tx: Tx) => {
      runs += 1;
      const inserted = counters().insertOne({ _id: 'a', n: 1 }, tx);
      await inserted.catch(() => deadline.cancel());
      await inserted;
    };
    const inserting = withTransaction(mongo, insert, { retryDuplicateKeys: true, deadline });
    expect(isDuplicateKey(await inserting.catch((thrown: unknown) => thrown))).toBe(true);
    expect(runs).toBe(1);
  });

  it('a transaction gives each statement the remaining time, and starts no statement after the deadline', async () => {
    const clock = new ManualClock();
    const deadline = createDeadline(10_000, { clock });
    const bounds: number[] = [];
    const work = async (tx: Tx) => {
      bounds.push({ ...tx }.maxTimeMS);
      clock.advance(4_000.5);
      bounds.push({ ...tx }.maxTimeMS);
      await add(1, tx.session);
      clock.advance(6_000);
      await counters().updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { ...tx });
    };
    await expect(withTransaction(mongo, work, { deadline })).rejects.toMatchObject({ code: 'internal' });
    expect(bounds).toEqual([10_000, 5_999]);
    expect(await total()).toBe(0);
  });

  it('a transaction rejects with an AppError after its attempts or its deadline', async () => {
    let runs = 0;
    const failing = async () => {
      runs += 1;
      throw labelled('TransientTransactionError');
    };
    await expect(withTransaction(mongo, failing, { attempts: 3 })).rejects.toMatchObject({ code: 'internal' });
    expect(runs).toBe(3);
    const clock = new ManualClock();
    const slow = async () => {
      runs += 1;
      clock.advance(10_000);
      throw labelled('TransientTransactionError');
    };
    runs = 0;
    const deadline = createDeadline(10_000, { clock });
    await expect(withTransaction(mongo, slow, { attempts: 100, deadline })).rejects.toThrow(AppError);
    expect(runs).toBe(1);
  });

  it('a transaction recognises a transient transaction error in the causes of an error', async () => {
    let runs = 0;
    await withTransaction(mongo, async ({ session }) => {
      runs += 1;
      await add(1, session);
      if (runs < 3) throw new AppError('unavailable', 'unavailable', { cause: labelled('TransientTransactionError') });
    });
    expect([runs, await total()]).toEqual([3, 1]);
  });

  it('a transaction repeats a commit whose response was lost, and commits once', async () => {
    let lost = 0;
    await withTransaction(mongo, async ({ session }) => {
      await add(1, session);
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        if (lost++ < 2) throw labelled('UnknownTransactionCommitResult');
      };
    });
    expect([lost, await total()]).toEqual([3, 1]);
  });

  it('a transaction rejects with the retryable CommitUnknownError when the commit gets no response', async () => {
    const work = async ({ session }: Tx) => {
      await add(1, session);
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw labelled('UnknownTransactionCommitResult');
      };
    };
    const unknown = await withTransaction(mongo, work).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(CommitUnknownError);
    expect(isRetryable(unknown)).toBe(true);
    expect(await total()).toBe(1);
  });
});
