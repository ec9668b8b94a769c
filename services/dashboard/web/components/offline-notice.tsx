import { WifiOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';

/**
 * Says that the browser is offline. Links and forms do nothing meanwhile: a navigation would replace the page, and what
 * was typed into it, by an error page.
 */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    if (isOnline) return;
    const keepPage = (event: Event) => {
      if (event.type === 'click' && !leavesPage(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // The window hears of an event before the handlers of the page.
    for (const type of ['click', 'submit']) window.addEventListener(type, keepPage, true);
    return () => {
      for (const type of ['click', 'submit']) window.removeEventListener(type, keepPage, true);
    };
  }, [isOnline]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-30 grid justify-items-center p-4 empty:hidden md:justify-items-end"
    >
      {!isOnline && (
        <p className="flex items-center gap-2 rounded border border-warning bg-warning-soft px-3 py-2">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
          You are offline. This page stays as it is; links and forms work again when the connection is back.
        </p>
      )}
    </div>
  );
}

const leavesPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a[href]:not([href^="#"])') !== null;

function subscribe(onChange: () => void) {
  for (const type of ['online', 'offline']) window.addEventListener(type, onChange);
  return () => {
    for (const type of ['online', 'offline']) window.removeEventListener(type, onChange);
  };
}
