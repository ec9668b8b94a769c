/** The pages of MongoDB's manual that the rules follow. Where 6.0 and 7.0 differ, the rule is the stricter of both. */
const manual = (page: string) => `https://www.mongodb.com/docs/v6.0/${page}/`;

export const sources = {
  restrictions: manual('core/sharded-cluster-requirements'),
  findAndModify: manual('reference/command/findAndModify'),
  update: manual('reference/command/update'),
  changeOfKey: manual('core/sharding-change-shard-key-value'),
  uniqueIndexes: manual('core/sharding-shard-key'),
  transactions: manual('core/transactions-operations'),
  routing: manual('core/sharded-cluster-query-router'),
  count: manual('reference/command/count'),
  lookup: manual('reference/operator/aggregation/lookup'),
  unionWith: manual('reference/operator/aggregation/unionWith'),
  out: manual('reference/operator/aggregation/out'),
  shardKey: manual('core/sharding-choose-a-shard-key'),
} as const;
