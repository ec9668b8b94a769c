import type { Grant, GrantedOperation } from '@shopscope/kafka';

/** The grants as a shell script for kafka-acls.sh. The operator who runs it sets BROKERS and ADMIN_PROPERTIES. */
export function kafkaCommands(grants: readonly Grant[]): string {
  const lines = grants.map(({ principal, resource, name, match, operations }) => {
    const granted = operations.map((operation) => `--operation ${operationName(operation)}`).join(' ');
    return `acls --allow-principal 'User:${principal}' --${resource} '${name}' --resource-pattern-type ${match} ${granted}`;
  });
  return `#!/bin/sh
# BROKERS: host:port[,…]. ADMIN_PROPERTIES: a file with the security settings of a user who may change ACLs.
set -eu
acls() { kafka-acls.sh --bootstrap-server "$BROKERS" --command-config "$ADMIN_PROPERTIES" --add "$@"; }
${lines.join('\n')}
`;
}

/** kafka-acls.sh writes the words of an operation together. */
const operationName = (operation: GrantedOperation) =>
  (({ 'describe-configs': 'DescribeConfigs', 'alter-configs': 'AlterConfigs' }) as Record<string, string>)[operation] ??
  operation;
