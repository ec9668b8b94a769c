import { afterAll, beforeAll } from 'vitest';
import { describeAuditLog } from './describe-audit-log.ts';
import { describeInvitations } from './describe-invitations.ts';
import { describeInviter } from './describe-inviter.ts';
import { describeMadeKeys } from './describe-made-keys.ts';
import { describeMembers } from './describe-members.ts';
import { describeSecondFactor } from './describe-second-factor.ts';
import { describeSignIn } from './describe-sign-in.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeMembers(() => system);
describeMadeKeys(() => system);
describeSecondFactor(() => system);
describeInvitations(() => system);
describeInviter(() => system);
describeAuditLog(() => system);
describeSignIn(() => system);
