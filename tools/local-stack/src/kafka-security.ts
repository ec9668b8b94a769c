import type { KafkaConfig } from 'kafkajs';
import type { Login, Security, SecurityFiles } from './security.ts';

/** A broker that accepts only SASL over TLS and authorizes by ACLs. Everything without a grant is refused. */
export interface KafkaSecurity extends Security {
  /** Created together with the data directory. Each user may log in by SCRAM and by PLAIN. */
  users: readonly Login[];
}

const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** Replaces the properties of the plain listeners. Brokers and controllers authenticate each other by certificate. */
export function securedProperties(
  ports: { port: number; controllerPort: number },
  security: KafkaSecurity,
  { ca, server }: SecurityFiles,
): string {
  const { superUser } = security;
  const jaas = (kind: string, login: Login, more = '') =>
    `org.apache.kafka.common.security.${kind} required username="${login.username}" password="${login.password}"${more};`;
  const plainUsers = [superUser, ...security.users].map((each) => ` user_${each.username}="${each.password}"`).join('');
  const scram = scramMechanisms.map(
    (mechanism) =>
      `listener.name.sasl_ssl.${mechanism.toLowerCase()}.sasl.jaas.config=${jaas('scram.ScramLoginModule', superUser)}`,
  );
  return `listeners=SASL_SSL://127.0.0.1:${ports.port},CONTROLLER://127.0.0.1:${ports.controllerPort}
advertised.listeners=SASL_SSL://127.0.0.1:${ports.port}
listener.security.protocol.map=CONTROLLER:SSL,SASL_SSL:SASL_SSL
inter.broker.listener.name=SASL_SSL
sasl.mechanism.inter.broker.protocol=${scramMechanisms[0]}
sasl.enabled.mechanisms=PLAIN,${scramMechanisms.join(',')}
listener.name.sasl_ssl.plain.sasl.jaas.config=${jaas('plain.PlainLoginModule', superUser, plainUsers)}
${scram.join('\n')}
ssl.keystore.type=PEM
ssl.keystore.location=${server}
ssl.truststore.type=PEM
ssl.truststore.location=${ca}
listener.name.controller.ssl.client.auth=required
ssl.principal.mapping.rules=RULE:^.*$/node/
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
allow.everyone.if.no.acl.found=false
super.users=User:${superUser.username};User:node`;
}

/** Arguments of the storage tool, which writes the first users into the metadata of the cluster. */
export function scramArguments({ superUser, users }: KafkaSecurity): string[] {
  return [superUser, ...users].flatMap(({ username, password }) =>
    scramMechanisms.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${username},password=${password}]`]),
  );
}

export function superUserOptions({ ca, superUser }: KafkaSecurity): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return { ssl: { ca }, sasl: { mechanism: 'scram-sha-256', ...superUser } };
}
