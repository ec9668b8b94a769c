import type { TestSystem } from './system.ts';

let workspaces = 0;

/** A workspace with an admin and a member who are signed in. `home` is the path of its pages, `base` that of its pages of stores. */
export async function startStoresWorkspace(system: TestSystem, planSlug = 'growth') {
  workspaces += 1;
  const ann = await system.person(`Ann Stores ${workspaces}`);
  const mia = await system.person(`Mia Stores ${workspaces}`);
  const { workspaceId } = await system.workspace('Acme', [
    { id: ann.id, role: 'admin' },
    { id: mia.id, role: 'member' },
  ]);
  await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug, actor: 'test' });
  const home = `/workspaces/${workspaceId}`;
  return {
    ann,
    workspaceId,
    home,
    base: `${home}/stores`,
    admin: await system.signIn(ann),
    member: await system.signIn(mia),
  };
}
