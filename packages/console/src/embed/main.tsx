import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setLocale } from '../text/format.ts'
import { applyAppearance } from './appearance.ts'
import { openEvents } from './events.ts'
import { EmbedPage } from './page.tsx'
import { readAppearance, readSettings, takeCode } from './settings.ts'
import { loadTexts } from './texts.ts'

const code = takeCode()
const settings = readSettings()
const appearance = readAppearance(location.search)
applyAppearance(appearance)
if (settings.locale !== undefined) setLocale(settings.locale)
await loadTexts(settings.locale === undefined ? navigator.languages : [settings.locale])

const root = document.getElementById('root')
if (root === null) throw new Error('embed.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <EmbedPage settings={settings} code={code} appearance={appearance} tell={openEvents(settings)} />
  </StrictMode>,
)
