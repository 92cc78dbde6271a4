import type { EmbedTexts } from './en.ts'
import type { Language } from './language.ts'

export type { EmbedTexts } from './en.ts'
export { fill } from './fill.ts'
export { LANGUAGES, languageOf } from './language.ts'

/** Loads the texts of the embedded page in one language. A browser loads no others. */
export const LOAD: Readonly<Record<Language, () => Promise<EmbedTexts>>> = {
  en: async () => (await import('./en.ts')).embed,
  de: async () => (await import('./de.ts')).embed,
  es: async () => (await import('./es.ts')).embed,
  fr: async () => (await import('./fr.ts')).embed,
  ja: async () => (await import('./ja.ts')).embed,
}
