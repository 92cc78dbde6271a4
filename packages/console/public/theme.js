// Sets the stored theme before the first paint. `src/shell/theme.ts` stores it.
{
  const theme = localStorage.getItem('onward-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
