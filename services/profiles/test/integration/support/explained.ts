import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';

export interface Explained<Result> {
  result: Result;
  stages: Set<string>;
  documents: number;
  /** Keys that were compared with filters, and keys that were counted to find the end of a part. */
  checkedKeys: number;
  countedKeys: number;
  commands: Document[];
}

const stagesOf = (plan: Document | undefined): string[] =>
  plan ? [plan.stage, ...stagesOf(plan.inputStage), ...(plan.inputStages ?? []).flatMap(stagesOf)] : [];

/** Returns a function that runs the reads of a page and explains them. `client` has `monitorCommands`. */
export function createExplain(client: MongoClient, db: Db, collection = 'signals') {
  let commands: Document[] = [];
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' && command.find === collection) commands.push(command);
  });
  return async <Result>(read: () => Promise<Result>): Promise<Explained<Result>> => {
    commands = [];
    const result = await read();
    const sent = commands.map(({ lsid, $clusterTime, $db, ...command }) => command);
    const cost = { stages: new Set<string>(), documents: 0, checkedKeys: 0, countedKeys: 0 };
    for (const command of sent) {
      const { queryPlanner, executionStats } = await db.command({ explain: command, verbosity: 'executionStats' });
      for (const stage of stagesOf(queryPlanner.winningPlan)) cost.stages.add(stage);
      cost.documents += executionStats.totalDocsExamined;
      cost[command.skip ? 'countedKeys' : 'checkedKeys'] += executionStats.totalKeysExamined;
    }
    return { result, ...cost, commands: sent };
  };
}
