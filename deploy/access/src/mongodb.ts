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

/** The user of `--migrate`, for all services. */
export const migrator = 'migrate';

export interface MongodbRole {
  role: string;
  db: string;
  privileges: { resource: { db: string; collection: string } | { cluster: true }; actions: string[] }[];
}

/** A service reads and writes documents. It changes neither indexes nor collections, so a start never waits for them. */
const serviceRoles = Object.values(databases).map((db): MongodbRole => {
  const actions = ['find', 'insert', 'update', 'remove', 'listCollections', 'listIndexes'];
  return { role: 'service', db, privileges: [{ resource: { db, collection: '' }, actions }] };
});

/** The migration neither reads nor writes documents. It sees the operations of the server, whose progress it reports. */
const migrationRole: MongodbRole = {
  role: migrator,
  db: 'admin',
  privileges: [
    ...Object.values(databases).map((db) => ({
      resource: { db, collection: '' },
      actions: ['createCollection', 'createIndex', 'collMod', 'listCollections', 'listIndexes'],
    })),
    { resource: { cluster: true }, actions: ['inprog'] },
  ],
};

export const mongodbRoles: readonly MongodbRole[] = [...serviceRoles, migrationRole];

/**
 * Each user has the name of its service. The users are created in the database `admin`, the default `authSource` of a URL
 * without a database name.
 */
export const mongodbUsers = [
  ...Object.entries(databases).map(([user, db]) => ({ user, roles: [{ role: 'service', db }] })),
  { user: migrator, roles: [{ role: migrator, db: 'admin' }] },
];

/**
 * Returns a script for mongosh. The script reads each password from an environment variable, for example PASSWORD_KEYS. It
 * prompts for a password whose variable is not set.
 */
export function mongodbUserScript(): string {
  const roles = mongodbRoles.map((role) => `createOrUpdateRole(${JSON.stringify(role)});`);
  const users = mongodbUsers.map(
    ({ user, roles }) =>
      `createOrUpdateUser(${JSON.stringify({ user, roles })}, 'PASSWORD_${user.toUpperCase().replace('-', '_')}');`,
  );
  return `// mongosh "$ADMIN_URL" --file mongodb-users.js
function createOrUpdateRole({ db: database, role, privileges }) {
  const its = db.getSiblingDB(database);
  if (its.getRole(role)) its.updateRole(role, { privileges, roles: [] });
  else its.createRole({ role, privileges, roles: [] });
}
function createOrUpdateUser({ user, roles }, passwordVariable) {
  print(user);
  const pwd = process.env[passwordVariable] || passwordPrompt();
  const admin = db.getSiblingDB('admin');
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
${[...roles, ...users].join('\n')}
`;
}
