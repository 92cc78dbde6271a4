import type { Language } from './language.ts'

/** A text of an app file. `lang` is set if the text is not in the language of the page. */
export type AppText = { readonly text: string; readonly lang?: 'en' }

/** Loads the texts of the built-in app files in one language, by the English text. A process loads only the languages that it shows. */
export const APP_TEXTS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Readonly<Record<string, string>>>>> = {
  de: async () => (await import('./apps/de.ts')).texts,
  es: async () => (await import('./apps/es.ts')).texts,
  fr: async () => (await import('./apps/fr.ts')).texts,
  ja: async () => (await import('./apps/ja.ts')).texts,
}

/** Returns a function that translates texts of app files. A text without translation, such as one of a company's own app, stays in English. */
export async function loadAppTexts(language: Language): Promise<(english: string) => AppText> {
  if (language === 'en') return (text) => ({ text })
  const texts = new Map(Object.entries(await APP_TEXTS[language]()))
  return (english) => {
    const text = texts.get(english)
    return text === undefined ? { text: english, lang: 'en' } : { text }
  }
}
