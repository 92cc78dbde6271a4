import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setLocale } from '../text/format.ts'
import { accentsOf } from './colors.ts'
import { openEvents } from './events.ts'
import { EmbedPage } from './page.tsx'
import { type Appearance, readAppearance, readSettings, takeCode } from './settings.ts'

const code = takeCode()
const settings = readSettings()
applyAppearance(readAppearance(location.search))
if (settings.locale !== undefined) setLocale(settings.locale)

const root = document.getElementById('root')
if (root === null) throw new Error('embed.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <EmbedPage settings={settings} code={code} tell={openEvents(settings)} />
  </StrictMode>,
)

/** Applies the theme, the colour and the margins before the first paint. Without them, the page follows the browser. */
function applyAppearance({ theme, primary, gutters }: Appearance): void {
  const { dataset, style } = document.documentElement
  if (theme !== undefined) dataset.theme = theme
  if (!gutters) dataset.gutters = 'none'
  if (primary === undefined) return
  const { light, dark } = accentsOf(primary)
  style.setProperty('--accent', `light-dark(${light.accent}, ${dark.accent})`)
  style.setProperty('--accent-strong', `light-dark(${light.strong}, ${dark.strong})`)
  style.setProperty('--accent-soft', `light-dark(${light.soft}, ${dark.soft})`)
  style.setProperty('--on-accent', `light-dark(${light.on}, ${dark.on})`)
}
