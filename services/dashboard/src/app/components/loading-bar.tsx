import { useNavigation } from 'react-router';

/** A bar at the top. It is shown while a navigation, or a form that navigates, takes longer than 250 ms. */
export function LoadingBar() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div
      role="progressbar"
      aria-label={state === 'submitting' ? 'Sending the form' : 'Loading the page'}
      className="loading-bar fixed inset-x-0 top-0 z-30 h-0.5"
    />
  );
}
