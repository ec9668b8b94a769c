/** The only service with a Redis user. */
export const redisUser = 'gateway';

/** Commands that read and write keys, and scripts. No administration, no blocking commands, no listing of all keys. */
const commands = [
  '-@all',
  '+@read',
  '+@write',
  '+@connection',
  '+eval',
  '+evalsha',
  '+time',
  '-@admin',
  '-@dangerous',
  '-@blocking',
  '-scan',
  '-randomkey',
  '-dbsize',
  // The client uses INFO to see whether the server still loads its data.
  '+info',
];

/** A line of Redis's ACL file, or the arguments of ACL SETUSER after the word `user`. `password` as `>clear` or `#sha256`. */
export function redisAcl(options: { keyPrefix: string; password: string }): string {
  return `user ${redisUser} reset on ${options.password} ~${options.keyPrefix}* ${commands.join(' ')}`;
}
