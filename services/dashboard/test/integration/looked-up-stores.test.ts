import { describeStores } from './describe-stores.ts';
import { describeTryGraphql } from './describe-try-graphql.ts';
import { describeTryGraphqlBrowser } from './describe-try-graphql-browser.ts';
import { describeTryOut } from './describe-try-out.ts';
import { systemWithGateway } from './support/system-with-gateway.ts';

const { system, gateway } = systemWithGateway();

describeStores(system, gateway);
describeTryOut(system, gateway);
describeTryGraphql(system, gateway);
describeTryGraphqlBrowser(system, gateway);
