import type { Command } from '../command.ts';
import { single } from '../output/output.ts';
import { encodeTimestamp } from '../resources/encode-timestamp.ts';
import { workspaceOption } from './options.ts';

export const personCommands: readonly Command[] = [
  {
    words: 'person invite',
    summary: 'Invites a person to a workspace, mails the link and prints it',
    note: 'Whoever has the link can accept the invitation. A pending invitation of the same address is withdrawn',
    options: {
      workspace: workspaceOption,
      email: { value: 'ADDRESS', help: 'the e-mail address of the person', required: true },
      role: { value: 'ROLE', help: 'admin or member (default: admin)' },
    },
    async run({ dashboard }, { need, optional, actor }) {
      const request = {
        workspaceId: need('workspace'),
        email: need('email'),
        role: optional('role') ?? 'admin',
        actor,
      };
      const { url, expiresAtMs } = await dashboard.invitePerson(request);
      return single({ url, expires_at: encodeTimestamp(expiresAtMs) });
    },
  },
];
