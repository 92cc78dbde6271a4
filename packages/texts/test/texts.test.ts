import * as de from '../src/de.ts'
import * as en from '../src/en.ts'
import * as es from '../src/es.ts'
import * as fr from '../src/fr.ts'
import { EN, fill, LANGUAGES, languageOf, PAGES, split } from '../src/index.ts'
import * as ja from '../src/ja.ts'

/** Returns the texts of an object, by their path. */
function textsOf(value: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, each]): [string, string][] =>
      typeof each === 'string' ? [[`${path}${key}`, each]] : [...textsOf(each, `${path}${key}.`)],
    ),
  )
}

const namesIn = (text = '') => [...new Set(split(text).filter((_part, at) => at % 2 === 1))].sort((a, b) => a.localeCompare(b))

describe('the texts', () => {
  const english = textsOf(en)

  it.each([
    ['German', de],
    ['Spanish', es],
    ['French', fr],
    ['Japanese', ja],
  ])('exist in %s under the same keys, with the same names in braces', (_language, texts) => {
    const translated = textsOf(texts)
    expect([...translated.keys()]).toEqual([...english.keys()])
    for (const [key, text] of english) expect([key, namesIn(translated.get(key))]).toEqual([key, namesIn(text)])
    expect([...translated].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('call what has access an application, as the rest of the pages do', () => {
    const words = LANGUAGES.flatMap((language) => [...textsOf(PAGES[language]).values()].map((text) => text.replace(/\{\w+\}/g, '')))
    expect(words.filter((text) => /program|プログラム/i.test(text))).toEqual([])
  })

  it('differ from English in each language, but for a few', () => {
    for (const language of LANGUAGES.slice(1)) {
      const same = [...textsOf(PAGES[language])].filter(([key, text]) => text === textsOf(EN).get(key))
      expect([language, same.length < 10]).toEqual([language, true])
    }
  })
})

describe('languageOf', () => {
  it.each([
    ['de', 'de'],
    ['de-CH', 'de'],
    ['JA-JP', 'ja'],
    ['pt-BR', undefined],
    ['', undefined],
    [undefined, undefined],
    [['de'], undefined],
  ])('of %j is %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })
})

describe('fill', () => {
  it('puts values in place of names in braces, and throws without a value', () => {
    expect(fill(EN.connect.title, { app: '{app} & Co', application: 'Acme' })).toBe('Connect {app} & Co to Acme')
    expect(() => fill(EN.connect.title, { app: 'Slack' })).toThrow('{application}')
    expect(split('a {b} c')).toEqual(['a ', 'b', ' c'])
  })
})
