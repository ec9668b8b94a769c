import kafkajs from 'kafkajs';
import type { Kafka } from './kafka.ts';

// Node finds some of a CommonJS module's names only below its default export.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** What one principal may do with one topic or group, or with all whose names begin so. */
export interface Grant {
  /** As the broker knows it, without `User:`. */
  principal: string;
  resource: 'topic' | 'group';
  /** As the cluster knows it, prefix included. */
  name: string;
  match: 'literal' | 'prefixed';
  operations: readonly GrantedOperation[];
}

/** Read and write include describe. */
export type GrantedOperation = 'read' | 'write' | 'create' | 'describe';

const operations = {
  read: AclOperationTypes.READ,
  write: AclOperationTypes.WRITE,
  create: AclOperationTypes.CREATE,
  describe: AclOperationTypes.DESCRIBE,
};
const resources = { topic: AclResourceTypes.TOPIC, group: AclResourceTypes.GROUP };
const patterns = { literal: ResourcePatternTypes.LITERAL, prefixed: ResourcePatternTypes.PREFIXED };

/** Adds the grants to the cluster's ACLs, for an operator who may; what is there already stays as it is. */
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
