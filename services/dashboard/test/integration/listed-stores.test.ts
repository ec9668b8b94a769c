import { describeImportSteps } from './describe-import-steps.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeLists } from './describe-lists.ts';
import { systemWithGateway } from './support/system-with-gateway.ts';

const { system, gateway } = systemWithGateway({ withLists: true });

describeLists(system, gateway);
describeImportSteps(system);
describeJobs(system, gateway);
