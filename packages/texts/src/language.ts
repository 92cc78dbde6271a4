/** The languages of the pages for users. The first one is for all others. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** Returns the language of a locale, such as `de-CH`; undefined if there are no texts in it. */
export function languageOf(locale: unknown): Language | undefined {
  const primary = typeof locale === 'string' ? locale.split('-')[0]?.toLowerCase() : undefined
  return LANGUAGES.find((language) => language === primary)
}
