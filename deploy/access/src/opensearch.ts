/** The service with a user in OpenSearch. */
const user = 'search';
const role = 'shopscope-search';

/**
 * The role of the security plugin: all rights on the documents of the service's own indexes, and the right to make and delete these. The
 * groups `crud` and `create_index` are the plugin's own; `crud` includes points in time.
 */
export const openSearchRole = (prefix: string) => ({
  // The heartbeat, and the part of a bulk request that names no index.
  cluster_permissions: ['cluster:monitor/main', 'indices:data/write/bulk'],
  index_permissions: [
    {
      index_patterns: [`${prefix}state`, `${prefix}stores-*`],
      allowed_actions: [
        'crud',
        'create_index',
        'indices:admin/delete',
        'indices:admin/refresh*',
        'indices:monitor/settings/get',
      ],
    },
  ],
});

/** Returns a shell script that makes the role and the user. It asks for the password of the user, so that no command contains it. */
export const openSearchCommands = (prefix: string): string => `#!/bin/sh
# OPENSEARCH: https://host:port. CURL_CONFIG: a file for curl --config that signs an administrator in.
set -eu
put() {
  curl --config "$CURL_CONFIG" --fail --silent --show-error --request PUT --header 'content-type: application/json' --data @- \\
    "$OPENSEARCH/_plugins/_security/api/$1"
}
put roles/${role} <<'JSON'
${JSON.stringify(openSearchRole(prefix))}
JSON
printf 'password of ${user}: ' >&2
stty -echo 2>/dev/null || true
IFS= read -r password
stty echo 2>/dev/null || true
printf '{"password":"%s"}' "$(printf '%s' "$password" | sed 's/[\\\\"]/\\\\&/g')" | put internalusers/${user}
put rolesmapping/${role} <<'JSON'
${JSON.stringify({ users: [user] })}
JSON
`;
