import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { DashboardServiceService, KeysServiceService } from '@shopscope/proto';
import type { RunningSystem } from './system.ts';

const actor = 'operator:bench';
const password = 'correct horse battery staple';

/** The form that signs a person of {@link signedInPerson} in. */
export const signInForm = (name: string): string => new URLSearchParams({ email: emailOf(name), password }).toString();

const emailOf = (name: string) => `${name}@bench.example`;

/** A person of the dashboard who is signed in, with the network address of their requests. An earlier run may have made the account. */
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

/** The workspace of a person of an earlier run, else a new one. */
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
