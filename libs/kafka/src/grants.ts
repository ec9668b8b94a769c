import kafkajs from 'kafkajs';
import type { Kafka } from './kafka.ts';

// Node exposes some exports of this CommonJS module only on its default export.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** The operations that one principal may use on one topic or group, or on all topics or groups whose names start with a prefix. */
export interface Grant {
  /** The principal's name in the broker, without `User:`. */
  principal: string;
  resource: 'topic' | 'group';
  /** The topic's or group's name in the cluster, with the prefix. */
  name: string;
  match: 'literal' | 'prefixed';
  operations: readonly GrantedOperation[];
}

/** `read` and `write` include `describe`. */
export type GrantedOperation =
  | 'read'
  | 'write'
  | 'create'
  | 'alter'
  | 'alter-configs'
  | 'describe'
  | 'describe-configs';

const operations = {
  read: AclOperationTypes.READ,
  write: AclOperationTypes.WRITE,
  create: AclOperationTypes.CREATE,
  alter: AclOperationTypes.ALTER,
  'alter-configs': AclOperationTypes.ALTER_CONFIGS,
  describe: AclOperationTypes.DESCRIBE,
  'describe-configs': AclOperationTypes.DESCRIBE_CONFIGS,
};
const resources = { topic: AclResourceTypes.TOPIC, group: AclResourceTypes.GROUP };
const patterns = { literal: ResourcePatternTypes.LITERAL, prefixed: ResourcePatternTypes.PREFIXED };

/** Adds the grants to the cluster's ACLs. Existing ACLs do not change. The caller needs the right to alter ACLs. */
export async function addGrants(kafka: Kafka, grants: readonly Grant[]): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  try {
    const acl = grants.flatMap(({ principal, resource, name, match, operations: granted }) =>
      granted.map((operation) => ({
        principal: `User:${principal}`,
        host: '*',
        permissionType: AclPermissionTypes.ALLOW,
        operation: operations[operation],
        resourceType: resources[resource],
        resourceName: name,
        resourcePatternType: patterns[match],
      })),
    );
    await admin.createAcls({ acl });
  } finally {
    await admin.disconnect();
  }
}
