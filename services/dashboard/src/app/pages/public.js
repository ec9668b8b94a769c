// The only script of public pages: the theme that was chosen in this browser, and buttons that copy a text beside them.
// Pages work without it.
const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
if (theme) document.documentElement.dataset.theme = theme;

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copies]') : null;
  const text = button && document.getElementById(button.dataset.copies)?.textContent;
  if (!text) return;
  // Over http a browser has no clipboard for pages.
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  const word = button.firstElementChild;
  word.textContent = isCopied ? 'Copied' : 'Select the text to copy it';
  setTimeout(() => {
    word.textContent = 'Copy';
  }, 2_000);
});

// A language that is chosen in one sample is shown in all samples of the page.
document.addEventListener('change', ({ target }) => {
  const { language } = target.dataset;
  if (!language) return;
  for (const choice of document.querySelectorAll(`input[data-language="${language}"]`)) choice.checked = true;
});
