import { daySeconds } from '@shopscope/clock';
import { type Environment, nameIn } from '@shopscope/environment';
import type { BudgetStore } from '@shopscope/mcp';
import type { IndexDefinition } from '@shopscope/mongo';
import type { Db } from 'mongodb';

/** The units that language models spent with one key in one UTC day. */
interface McpUnits {
  /** Format: `<key id> <day>` */
  _id: string;
  units: number;
  day: Date;
}

/** Counted from the beginning of the day, so a document is kept for a day after the day ends. */
const keptSeconds = 2 * daySeconds;

export const mcpUnitsIndexes: readonly IndexDefinition[] = [
  { key: { day: 1 }, options: { expireAfterSeconds: keptSeconds } },
];

/** The budget of each key and day. All instances share it. Each addition is one atomic update. */
export function createMcpUnits(db: Db, environment: Environment): BudgetStore {
  const collection = db.collection<McpUnits>(nameIn(environment, 'mcp_units', '_'));
  return {
    async add({ keyId, day }, units) {
      const _id = `${keyId} ${day}`;
      if (units === 0) return (await collection.findOne({ _id }))?.units ?? 0;
      const updated = await collection.findOneAndUpdate(
        { _id },
        { $inc: { units }, $setOnInsert: { day: new Date(day) } },
        { upsert: true, returnDocument: 'after' },
      );
      return updated?.units ?? units;
    },
  };
}
