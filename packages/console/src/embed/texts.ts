import { type EmbedTexts, fill, LANGUAGES, LOAD, languageOf } from '@onward/texts/embed'
import { WORDS } from '../text/words.ts'

/** Texts of a group of WORDS in another language. */
type In<G extends keyof typeof WORDS> = {
  readonly [name in keyof (typeof WORDS)[G]]?: (typeof WORDS)[G][name] extends string ? string : (typeof WORDS)[G][name]
}

let loaded: EmbedTexts | undefined

/** Loads the texts in the first of the languages that exists, or else in English. Comes before everything that shows texts. */
export async function loadTexts(locales: readonly string[]): Promise<void> {
  const [language = LANGUAGES[0]] = locales.flatMap((locale) => languageOf(locale) ?? [])
  document.documentElement.lang = language
  loaded = await LOAD[language]()
  translateShared(loaded)
}

/** The components that the console shares with this page read their texts from WORDS, which is in English. */
function translateShared(t: EmbedTexts): void {
  Object.assign(WORDS.common, { loading: t.loading, retry: t.retry, requestId: t.requestId } satisfies In<'common'>)
  Object.assign(WORDS.chart, { table: t.asTable, chart: t.asChart, time: t.time, keys: t.chartKeys } satisfies In<'chart'>)
  Object.assign(WORDS.section, {
    failed: (title) => fill(t.partFailed, { title }),
    forbidden: t.forbidden,
    stale: t.stale,
  } satisfies In<'section'>)
  Object.assign(WORDS.copy, {
    copied: t.copied,
    failed: t.copyFailed,
    copyOf: (what) => fill(t.copyOf, { what }),
  } satisfies In<'copy'>)
}

/** Returns the texts of the page. */
export function texts(): EmbedTexts {
  if (loaded === undefined) throw new Error('the texts are not loaded')
  return loaded
}
