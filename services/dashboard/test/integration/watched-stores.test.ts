import { describeChanges } from './describe-changes.ts';
import { describeWatchlists } from './describe-watchlists.ts';
import { systemWithGateway } from './support/system-with-gateway.ts';

const { system, gateway } = systemWithGateway({ withLists: true });

describeWatchlists(system, gateway);
describeChanges(system, gateway);
