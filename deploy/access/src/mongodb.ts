/** The database of each service. Services that are not listed have none. */
export const databases = {
  keys: 'keys',
  profiles: 'profiles',
  metering: 'metering',
  'scan-scheduler': 'scan_scheduler',
  dashboard: 'dashboard',
  subscriptions: 'subscriptions',
  webhooks: 'webhooks',
} as const;

/**
 * Each user has the name of its service. The users are created in the database `admin`, the default `authSource` of a URL
 * without a database name.
 */
export const mongodbUsers = Object.entries(databases).map(([user, db]) => ({
  user,
  roles: [{ role: 'readWrite', db }],
}));

/**
 * Returns a script for mongosh. The script reads each password from an environment variable, for example PASSWORD_KEYS. It
 * prompts for a password whose variable is not set.
 */
export function mongodbUserScript(): string {
  const lines = mongodbUsers.map(
    ({ user, roles }) =>
      `createOrUpdateUser(${JSON.stringify({ user, roles })}, 'PASSWORD_${user.toUpperCase().replace('-', '_')}');`,
  );
  return `// mongosh "$ADMIN_URL" --file mongodb-users.js
function createOrUpdateUser({ user, roles }, passwordVariable) {
  print(user);
  const pwd = process.env[passwordVariable] || passwordPrompt();
  const admin = db.getSiblingDB('admin');
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
${lines.join('\n')}
`;
}
