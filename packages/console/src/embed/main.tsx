import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setLocale } from '../text/format.ts'
import { applyAppearance } from './appearance.ts'
import { openEvents } from './events.ts'
import { EmbedPage } from './page.tsx'
import { readAppearance, readSettings, takeCode } from './settings.ts'

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
