import { deadLetterSuffix, type Grant, type GrantedOperation } from '@shopscope/kafka';
import { topics } from '@shopscope/proto';
import { migrator } from '../mongodb.ts';
import { kafkaAccess, replayer, services } from './table.ts';

/**
 * The table as ACLs. A publisher writes its topic. A consumer reads its topic in its group and writes its dead letters.
 * Both compare the topics' settings at their start. Only the user of migrations creates and changes topics. An idempotent producer needs
 * no right on the cluster: the right to write a topic is enough.
 */
export function kafkaGrants(options: { prefix: string }): Grant[] {
  const { prefix } = options;
  const topic = (principal: string, name: string, ...operations: GrantedOperation[]): Grant => {
    return { principal, resource: 'topic', name: prefix + name, match: 'literal', operations };
  };
  const group = (
    principal: string,
    name: string,
    match: Grant['match'],
    operation: GrantedOperation = 'read',
  ): Grant => {
    return { principal, resource: 'group', name: prefix + name, match, operations: [operation] };
  };

  const ofServices = services.flatMap((service) => [
    ...kafkaAccess[service].publishes.flatMap((name) => [
      topic(service, name, 'write', 'describe-configs'),
      topic(service, name + deadLetterSuffix, 'describe', 'describe-configs'),
    ]),
    ...kafkaAccess[service].consumes.flatMap((consumed) => [
      topic(service, consumed.topic, 'read', 'describe-configs'),
      topic(service, consumed.topic + deadLetterSuffix, 'write', 'describe-configs'),
      group(service, consumed.group, consumed.perInstance ? 'prefixed' : 'literal'),
    ]),
    ...(kafkaAccess[service].watches ?? []).flatMap((watched) => [
      topic(service, watched.topic, 'describe'),
      group(service, watched.group, 'literal', 'describe'),
    ]),
  ]);
  const ofReplayer = topics.flatMap(({ topic: name }) => [
    topic(replayer, name, 'write'),
    topic(replayer, name + deadLetterSuffix, 'read'),
    group(replayer, `replay.${name}${deadLetterSuffix}`, 'literal'),
  ]);
  const ofMigrator = topics
    .flatMap(({ topic: name }) => [name, name + deadLetterSuffix])
    .map((name) => topic(migrator, name, 'create', 'alter', 'alter-configs', 'describe', 'describe-configs'));
  return [
    ...new Map([...ofServices, ...ofReplayer, ...ofMigrator].map((grant) => [JSON.stringify(grant), grant])).values(),
  ];
}
