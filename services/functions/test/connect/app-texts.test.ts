import { type App, connectFields, loadCatalog, type Scheme } from '@onward/catalog'
import { APP_TEXTS } from '@onward/texts/apps'
import { enteredSchemes } from '../../src/connect/target.ts'
import { loginUrlOf, openBrowser, type Page } from '../support/connecting.ts'
import { useFunctions } from '../support/support.ts'
import { unescapeHtml } from '../support/unescape-html.ts'

/** The schemes whose fields have the same texts in each app. Own apps have them too. */
const SCHEMES = [
  { type: 'bearer' },
  { type: 'api_key', in: 'header', name: 'X-Key' },
  { type: 'basic' },
  { type: 'oauth2_client_credentials', token_url: 'https://example.com/token' },
] as const

/** Returns the texts of app files on the pages to connect accounts of the built-in apps. */
async function shownTexts(): Promise<string[]> {
  const { apps } = await loadCatalog(['packages/catalog/apps'])
  const fieldsOf = (app: Pick<App, 'accountSettings' | 'help'>, schemes: readonly Scheme[]) =>
    schemes.flatMap((scheme) => connectFields(app, scheme)).flatMap(({ title, description, help }) => [title, help ?? description])
  const ofApps = apps.flatMap((app) => {
    const signIns = app.schemes.filter((scheme) => scheme.type === 'oauth2')
    const scopes = signIns.flatMap(({ scope_descriptions = {} }) => Object.values(scope_descriptions))
    return [...scopes, ...fieldsOf(app, [...signIns, ...enteredSchemes(app)])]
  })
  return [...new Set([...fieldsOf({ accountSettings: [], help: {} }, SCHEMES), ...ofApps])]
}

/** Returns lines to add to the file of a language. */
function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `  ${text.includes("'") ? JSON.stringify(text) : `'${text}'`}: '',`).join('\n')
}

/** Returns the addresses, commands, beginnings of keys and names in braces of a text, which are the same in each language. */
function fixedParts(text: string): string[] {
  const words = text.split(/[\s,;()]+/).map((word) => word.replace(/[.:]+$/, ''))
  return words.filter((word) => /[/_@&{\d]|\w[.:]\w|-$|^\./.test(word))
}

let shown: string[]
beforeAll(async () => {
  shown = await shownTexts()
})

describe.each(Object.entries(APP_TEXTS))('the texts of built-in apps in %s', (language, load) => {
  const file = `packages/texts/src/apps/${language}.ts`

  it('exist for each text on the pages to connect accounts, and for no other', async () => {
    const translated = await load()
    const missing = shown.filter((text) => !translated[text]?.trim())
    if (missing.length > 0) throw new Error(`add these lines to ${file}, with a translation of each:\n${linesOf(missing)}`)
    const unused = Object.keys(translated).filter((text) => !shown.includes(text))
    if (unused.length > 0) throw new Error(`remove from ${file} what no app shows:\n${unused.join('\n')}`)
  })

  it('keep addresses and beginnings of keys, and quote only menus and buttons, in the words of the vendor', async () => {
    for (const [english, text] of Object.entries(await load())) {
      expect([text, fixedParts(english).filter((part) => !text.includes(part))]).toEqual([text, []])
      const quoted = [...text.matchAll(/[„«「]\s*(.*?)\s*[“»」]/g)].map(([, name = '']) => name)
      expect([text, quoted.filter((name) => !english.toLowerCase().includes(name.toLowerCase()))]).toEqual([text, []])
    }
  })
})

describe('the texts of app files on a page to connect an account', () => {
  const onward = useFunctions({ builtIn: true, env: { APPS_PATH: 'services/functions/test/connect-apps' } })
  const open = async (app: string, language: string, query = ''): Promise<Page> =>
    await openBrowser().open((await loginUrlOf(onward.user('joe'), app)) + query, { 'accept-language': language })
  const linesIn = ({ text }: Page, element: string) =>
    [...text.matchAll(new RegExp(`<${element}[ >].*?</${element.split(' ')[0]}>`, 'gs'))].map(([line]) =>
      unescapeHtml(line.replace(/^<[^>]*>|<\/\w+>$/g, '')),
    )

  it('are in the language of the page for built-in apps: help and scopes', async () => {
    const help =
      'Öffnen Sie api.slack.com/apps, Ihre App, „OAuth & Permissions“. Kopieren Sie das „Bot User OAuth Token“, das mit xoxb- beginnt.'
    const page = await open('slack', 'de-CH,de;q=0.9')
    expect([linesIn(page, 'label'), linesIn(page, 'p class="hint"')]).toEqual([['Zugriffstoken'], [help]])
    expect(linesIn(await open('slack', 'ja', '?locale=de'), 'p class="hint"')).toEqual([help])

    await onward
      .admin('put', '/admin/applications/app-1/oauth-clients/slack', { client_id: 'c', client_secret: 'secret-0123456789' })
      .expect(200)
    const signIn = await open('slack', 'de')
    expect(linesIn(signIn, 'li')).toEqual([
      'Nachrichten senden',
      'Unterhaltungen und deren Teilnehmer ansehen',
      'Nachrichten lesen',
      'Unterhaltungen erstellen und ändern',
      'Öffentlichen Channels beitreten',
      'Reaktionen hinzufügen und entfernen',
      'Die Personen im Workspace und deren E-Mail-Adressen ansehen',
      'Nachrichten durchsuchen',
    ])
    expect(linesIn(await open('slack', 'en'), 'li')).toContain('Send messages')
  })

  it('name the field of a problem in the language of the page', async () => {
    const browser = openBrowser()
    const page = await browser.open(await loginUrlOf(onward.user('joe'), 'freshdesk'), { 'accept-language': 'es' })
    const wrong = await browser.submit(page, { api_key: 'key-0123456789', domain: '' }, { 'accept-language': 'es' })
    expect(linesIn(wrong, 'p class="wrong"')).toEqual(['Dominio: no puede quedar vacío.'])
  })

  it('are in English and say so where an own app has no translation', async () => {
    const page = await open('shelf', 'fr')
    expect(linesIn(page, 'label')).toEqual(['Clé d’API', '<bdi lang="en">Server URL</bdi>'])
    expect(page.text).toContain('<bdi lang="en">On the back of your library card.</bdi>')
    expect((await open('shelf', 'en')).text).not.toContain('<bdi lang')
  })
})
