import { Button } from '../../app/components/button.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { Notice } from '../../app/components/page.tsx';

/** Shows that the Dashboard key was revoked. Admins can switch Stores on again. */
export function StoresOff({ action, isAdmin }: { action: string; isAdmin: boolean }) {
  return (
    <Notice kind="warning" title="Stores is switched off for this workspace">
      <p>
        Somebody has revoked its key <span className="font-medium">Dashboard</span>.{' '}
        {isAdmin
          ? 'Switching it on again makes a new key, which the audit log records.'
          : 'An admin of this workspace can switch it on again.'}
      </p>
      {isAdmin && (
        <PostForm action={action} intent="switch_on" className="mt-2">
          <Button>Switch Stores on</Button>
        </PostForm>
      )}
    </Notice>
  );
}
