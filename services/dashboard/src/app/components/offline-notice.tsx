import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import icon from '../pages/icon.svg?url';

/** Shows that the browser is offline. Links and forms then do nothing, because an error page would replace the typed texts. */
export function OfflineNotice() {
  const isOffline = useOffline();
  const blocker = useBlocker(isOffline);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);
  useEffect(() => {
    if (!isOffline) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    // A capture handler on window runs before the handlers of the page, including those of fetchers, which cannot be blocked otherwise.
    window.addEventListener('submit', keepPage, { capture: true, signal });
    // The router has prevented the default of its own links before the event arrives here.
    window.addEventListener('click', keepPageOnLink, { signal });
    return () => stopping.abort();
  }, [isOffline]);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-30 grid justify-items-center p-4 md:justify-items-end"
    >
      {isOffline && (
        <p className="flex items-center gap-2 rounded border border-warning bg-warning-soft px-3 py-2">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
          <span>
            You are offline. This page stays as it is. Links and forms work again when the connection is back.
          </span>
        </p>
      )}
    </div>
  );
}

const probeTimeoutMs = 2_000;

/** A browser without a network reports that it is offline, even if it can reach a dashboard on the same machine. */
const isReachable = () =>
  fetch(icon, { cache: 'no-store', signal: AbortSignal.timeout(probeTimeoutMs) }).then(
    () => true,
    () => false,
  );

function useOffline(): boolean {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let latest = 0;
    const check = async () => {
      latest += 1;
      const own = latest;
      const offline = !navigator.onLine && !(await isReachable());
      if (own === latest && !signal.aborted) setOffline(offline);
    };
    void check();
    for (const type of ['online', 'offline']) window.addEventListener(type, check, { signal });
    return () => stopping.abort();
  }, []);
  return isOffline;
}

function keepPage(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}

function keepPageOnLink(event: MouseEvent) {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const isLink = event.target instanceof Element && event.target.closest('a[href]:not([href^="#"])') !== null;
  if (isLink) event.preventDefault();
}
