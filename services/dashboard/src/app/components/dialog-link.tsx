import type { ComponentProps } from 'react';
import { ButtonLink } from './button.tsx';

/**
 * A link to a page that the current page can show as a dialog. A plain click opens the dialog. Without script, and in a
 * new tab or window, the link leads to the page.
 */
export function DialogLink({
  onOpen,
  ...rest
}: Omit<ComponentProps<typeof ButtonLink>, 'onClick'> & { onOpen(): void }) {
  return (
    <ButtonLink
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
      {...rest}
    />
  );
}
