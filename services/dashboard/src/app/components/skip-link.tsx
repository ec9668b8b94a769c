/** The first link of a page, for people who use a keyboard or a screen reader. */
export const SkipLink = () => (
  <a href="#content" className="absolute -top-20 left-4 z-20 rounded bg-accent px-3 py-2 text-on-accent focus:top-4">
    Skip to the content
  </a>
);
