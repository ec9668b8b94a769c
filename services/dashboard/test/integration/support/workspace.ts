import type { TestSystem } from './system.ts';

let workspaces = 0;

/** A workspace with an admin and a member who are signed in, and where its pages of stores begin. */
export async function startStoresWorkspace(system: TestSystem, planSlug = 'growth') {
  workspaces += 1;
  const ann = await system.person(`Ann Stores ${workspaces}`);
  const mia = await system.person(`Mia Stores ${workspaces}`);
  const { workspaceId } = await system.workspace('Acme', [
    { id: ann.id, role: 'admin' },
    { id: mia.id, role: 'member' },
  ]);
  await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug, actor: 'test' });
  const base = `/workspaces/${workspaceId}/stores`;
  return { ann, workspaceId, base, admin: await system.signIn(ann), member: await system.signIn(mia) };
}
