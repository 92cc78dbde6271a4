import { type EmbedTexts, LANGUAGES, LOAD, languageOf } from '@onward/texts/embed'

let loaded: EmbedTexts | undefined

/** Loads the texts in the first of the languages that exists, or else in English. Comes before everything that shows texts. */
export async function loadTexts(locales: readonly string[]): Promise<void> {
  const [language = LANGUAGES[0]] = locales.flatMap((locale) => languageOf(locale) ?? [])
  document.documentElement.lang = language
  loaded = await LOAD[language]()
}

/** Returns the texts of the page. */
export function texts(): EmbedTexts {
  if (loaded === undefined) throw new Error('the texts are not loaded')
  return loaded
}
