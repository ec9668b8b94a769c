import { describeDeliveries } from './describe-deliveries.ts';
import { describeDeliveriesBrowser } from './describe-deliveries-browser.ts';
import { systemWithGateway } from './support/system-with-gateway.ts';

const { system, gateway } = systemWithGateway({ withLists: true, withWebhooks: true });

describeDeliveriesBrowser(system, gateway);
// Its last test stops subscriptions.
describeDeliveries(system, gateway);
