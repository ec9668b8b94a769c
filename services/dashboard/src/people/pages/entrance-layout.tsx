import { Outlet } from 'react-router';
import { Logo } from '../../app/components/logo.tsx';

/** The frame of the pages before sign-in. */
export default function EntranceLayout() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[400px] content-start gap-8 px-4 pt-[12vh] pb-16">
      <Logo />
      <Outlet />
    </main>
  );
}
