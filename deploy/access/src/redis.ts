/** The one user of Redis that a service has. */
export const redisUser = 'gateway';

/** Whatever reads and writes keys, scripts included; nothing that administers, blocks, or walks through others' keys. */
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
  // The client asks it whether the server still loads its data.
  '+info',
];

/** A line of Redis's ACL file, or the arguments of ACL SETUSER after the word `user`. `password` as `>clear` or `#sha256`. */
export function redisAcl(options: { keyPrefix: string; password: string }): string {
  return `user ${redisUser} reset on ${options.password} ~${options.keyPrefix}* ${commands.join(' ')}`;
}
