/** The database of each service. Services that are not listed have none. */
export const databases = {
  keys: 'keys',
  profiles: 'profiles',
  metering: 'metering',
  'scan-scheduler': 'scan_scheduler',
  dashboard: 'dashboard',
} as const;

export interface MongodbUser {
  user: string;
  roles: { role: string; db: string }[];
}

/** The users are in the database `admin`, the default of a connection string. */
export const mongodbUsers: readonly MongodbUser[] = Object.entries(databases).map(([user, db]) => {
  return { user, roles: [{ role: 'readWrite', db }] };
});

/** A script for mongosh. It takes each password from a variable such as PASSWORD_KEYS, or asks for it. */
export function mongodbCommands(): string {
  const lines = mongodbUsers.map(
    ({ user, roles }) =>
      `make(${JSON.stringify({ user, roles })}, 'PASSWORD_${user.toUpperCase().replace('-', '_')}');`,
  );
  return `// mongosh "$ADMIN_URL" --file mongodb-users.js
function make({ user, roles }, variable) {
  print(user);
  const pwd = process.env[variable] || passwordPrompt();
  const admin = db.getSiblingDB('admin');
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
${lines.join('\n')}
`;
}
