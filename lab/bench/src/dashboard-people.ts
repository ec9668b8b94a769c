import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { DashboardServiceService, KeysServiceService } from '@shopscope/proto';
import type { RunningSystem } from './system.ts';

const actor = 'operator:bench';
const password = 'correct horse battery staple';

/** Returns the form by which a person of {@link signedInPerson} signs in. */
export const signInForm = (name: string): string => new URLSearchParams({ email: emailOf(name), password }).toString();

const emailOf = (name: string) => `${name}@bench.example`;

/** Signs a person of the dashboard in from a network address. The account is created, unless an earlier run has created it. */
export async function signedInPerson(
  { dashboard }: Pick<RunningSystem, 'dashboard'>,
  { name, workspaceId, address }: { name: string; workspaceId: string; address: string },
): Promise<Visitor> {
  const client = createGrpcClient({ definition: DashboardServiceService, address: dashboard.grpcAddress });
  const visitor = createVisitor(dashboard.url);
  const headers = { Origin: new URL(dashboard.url).origin, 'X-Forwarded-For': address };
  const email = emailOf(name);
  try {
    if ((await visitor.submit('/sign-in', { email, password }, headers)).status !== 302) {
      const { url } = await client.invitePerson({ workspaceId, email, role: 'admin', actor });
      const form = { intent: 'sign-up', name, password };
      const { status } = await visitor.submit(new URL(url).pathname, form, headers);
      if (status !== 302) throw new Error(`${email} was not created (status ${status})`);
    }
    return visitor;
  } finally {
    client.close();
  }
}

/** Resolves to the id of a person's workspace. It is created, unless an earlier run has created it. */
export async function workspaceOf(
  system: Pick<RunningSystem, 'dashboard' | 'keysAddress'>,
  name: string,
): Promise<string> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: system.keysAddress });
  try {
    const { workspace } = await keys.setUpWorkspace({
      name: `bench ${name}`,
      planSlug: 'growth',
      label: 'bench',
      preset: 'full',
      scopes: [],
      actor,
    });
    return workspace?.id ?? '';
  } finally {
    keys.close();
  }
}
