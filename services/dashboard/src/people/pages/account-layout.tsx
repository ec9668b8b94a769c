import { Form, Link, Outlet } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { Logo } from '../../app/components/logo.tsx';
import { SkipLink } from '../../app/components/skip-link.tsx';
import { sessionContext } from '../../app/pages/server.ts';
import type { Route } from './+types/account-layout';

export const loader = ({ context }: Route.LoaderArgs) => ({ email: context.get(sessionContext).email });

/** The frame of the pages of a person's own account. */
export default function AccountLayout({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <>
      <SkipLink />
      <header className="border-b">
        <div className="mx-auto flex h-14 max-w-[720px] items-center justify-between gap-4 px-4">
          <Link to="/workspaces" aria-label="Shopscope, to the overview">
            <Logo />
          </Link>
          <div className="flex min-w-0 items-center gap-3">
            <span className="hidden truncate text-sm text-quiet sm:block">{email}</span>
            <Form method="post" action="/sign-out">
              <Button kind="quiet">Sign out</Button>
            </Form>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto grid max-w-[720px] gap-8 px-4 py-8 outline-none">
        <Outlet />
      </main>
    </>
  );
}
