/** A service with a user in Redis. */
export interface RedisUser {
  user: string;
  /** REDIS_KEY_PREFIX of the service. The user may access no other keys. */
  keyPrefix: string;
}

/** Users are restricted to their own keys, so both services may use one Redis. */
export const redisUsers: readonly RedisUser[] = [
  { user: 'gateway', keyPrefix: 'shopscope:' },
  { user: 'dashboard', keyPrefix: 'dashboard:' },
];

/**
 * Commands that read and write keys, and scripts. No administration, no blocking commands, no listing of all keys. The client uses INFO to
 * see whether the server still loads its data and whether it is the primary, and CLUSTER to find the nodes and slots of Redis Cluster.
 */
const commands =
  '-@all +@read +@write +@connection +eval +evalsha +time -@admin -@dangerous -@blocking -scan -randomkey -dbsize +info +cluster|slots +cluster|info';

/** A line of Redis's ACL file, or the arguments of ACL SETUSER after the word `user`. `password` as `>clear` or `#sha256`. */
export function redisAcl({ user, keyPrefix }: RedisUser, password: string): string {
  return `user ${user} reset on ${password} ~${keyPrefix}* ${commands}`;
}

export const redisCommands = (prefixOf: (user: string) => string | undefined): string =>
  redisUsers
    .map((each) => redisAcl({ ...each, keyPrefix: prefixOf(each.user) ?? each.keyPrefix }, `#SHA256-${each.user}`))
    .join('\n');
