import { pages as de } from './de.ts'
import type { PageTexts } from './en.ts'
import { pages as en } from './en.ts'
import { pages as es } from './es.ts'
import { pages as fr } from './fr.ts'
import { pages as ja } from './ja.ts'
import type { Language } from './language.ts'

export type { PageTexts } from './en.ts'
export { fill, split, valueNamed } from './fill.ts'
export { LANGUAGES, type Language, languageOf } from './language.ts'

/** Returns a text in the language of a page. */
export type Say = (texts: PageTexts) => string

export const EN: PageTexts = en

/** The texts of the pages that functions serves, by language. */
export const PAGES: Readonly<Record<Language, PageTexts>> = { en, de, es, fr, ja }
