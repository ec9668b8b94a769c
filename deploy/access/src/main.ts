import { kafkaOptions, kafkaRules, kafkaSettings, readConfig, serviceSettings, z } from '@shopscope/config';
import { addGrants, createKafka } from '@shopscope/kafka';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { kafkaCommands } from './kafka/commands.ts';
import { kafkaGrants } from './kafka/grants.ts';
import { mongodbUserScript } from './mongodb.ts';
import { openSearchCommands } from './opensearch.ts';
import { redisCommands } from './redis.ts';

const usage = `npm run access -- kafka            prints the ACLs as a script for kafka-acls.sh; KAFKA_TOPIC_PREFIX applies
npm run access -- kafka --apply    adds the ACLs; the KAFKA_* settings name a user with that right
npm run access -- mongodb          prints the users as a script for mongosh
npm run access -- opensearch       prints the role and the user of search as a shell script; OPENSEARCH_INDEX_PREFIX applies
npm run access -- redis            prints the lines of Redis's ACL file; put the passwords' SHA-256 in them.
                                   REDIS_KEY_PREFIX_GATEWAY and REDIS_KEY_PREFIX_DASHBOARD: their REDIS_KEY_PREFIX`;

/** The settings of a service that connects to Kafka, as far as this command needs them. */
const settings = z.object({
  ...kafkaSettings,
  SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV,
  INSTANCE_ID: serviceSettings.INSTANCE_ID,
});

async function applyKafka(): Promise<number> {
  const service = 'access';
  const config = readConfig(settings, process.env, [kafkaRules]);
  const logger = createLogger({ service, instance: config.INSTANCE_ID, level: 'warn' });
  const kafka = createKafka({ ...kafkaOptions(config), logger, registry: createRegistry({ service }) });
  const grants = kafkaGrants({ prefix: config.KAFKA_TOPIC_PREFIX });
  await addGrants(kafka, grants).finally(() => kafka.close());
  return grants.length;
}

const asked = process.argv.slice(2).join(' ');
if (asked === 'kafka') console.log(kafkaCommands(kafkaGrants({ prefix: process.env.KAFKA_TOPIC_PREFIX ?? '' })));
else if (asked === 'kafka --apply') console.log(`${await applyKafka()} grants are in the cluster's ACLs`);
else if (asked === 'mongodb') console.log(mongodbUserScript());
else if (asked === 'opensearch') console.log(openSearchCommands(process.env.OPENSEARCH_INDEX_PREFIX ?? 'shopscope-'));
else if (asked === 'redis') console.log(redisCommands((user) => process.env[`REDIS_KEY_PREFIX_${user.toUpperCase()}`]));
else {
  console.error(usage);
  process.exitCode = 2;
}
