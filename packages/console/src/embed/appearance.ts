import { accentsOf } from '@onward/contract/pure'
import type { Appearance } from './settings.ts'

/** Applies the theme, the colour and the margins. Without them, the page follows the browser. */
export function applyAppearance({ theme, primary, gutters }: Appearance): void {
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
