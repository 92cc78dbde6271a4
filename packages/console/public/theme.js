// Applies the stored theme and density before the first paint. `src/ui/preference.ts` stores them.
try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('onward-theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('onward-density') === 'compact') dataset.density = 'compact'
} catch {
  // A browser that forbids storage follows the system.
}
