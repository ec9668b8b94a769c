// The only script of public pages: the theme that was chosen in this browser, and buttons that copy a text beside them.
// Pages work without it.
const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
if (theme) document.documentElement.dataset.theme = theme;

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copies]') : null;
  const text = button && document.getElementById(button.dataset.copies)?.textContent;
  if (!text) return;
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = before;
  }, 2_000);
});
