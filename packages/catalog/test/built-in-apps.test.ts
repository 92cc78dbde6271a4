import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { hasPart } from '../src/function/output.ts'
import {
  type AppFunction,
  type Catalog,
  type CredentialField,
  type Credentials,
  checkCredentials,
  compileApp,
  connectFields,
  lintFiles,
  loadCatalog,
  type Scheme,
} from '../src/index.ts'
import { build } from './sample-app.ts'

const folders = [join(__dirname, '../apps'), join(__dirname, '../../dev-env/apps')]
const twilioSid = `AC${'0'.repeat(32)}`

/** The address book is the demo app of development. */
const NAMES = `
  addressbook airtable anthropic apollo asana attio bigquery bitbucket box brevo cal-com calendly clickup coda
  confluence datadog discord docusign dropbox elevenlabs exa excel figma firecrawl fireflies freshdesk github gitlab
  gmail google-calendar google-docs google-drive google-maps google-meet google-sheets google-tasks hubspot intercom
  jira klaviyo linear linkedin mailchimp microsoft-teams monday notion onedrive openai outlook-mail pagerduty paypal
  perplexity pipedrive posthog quickbooks resend salesforce sendgrid sentry servicenow shopify slack snowflake square
  stripe supabase tavily telegram todoist trello twilio twitter typeform webflow whatsapp-business wordpress xero
  youtube zendesk zoho-crm zoom
`
  .trim()
  .split(/\s+/)

/** The icon packages have no logo for these apps. */
const WITHOUT_LOGO = new Set(['addressbook', 'apollo', 'attio', 'fireflies', 'freshdesk', 'klaviyo', 'servicenow'])

let catalog: Catalog
beforeAll(async () => {
  catalog = await loadCatalog(folders)
})

function need(name: string): AppFunction {
  const fn = catalog.fn(name)
  if (!fn) throw new Error(`${name} is not there`)
  return fn
}

/** Values for fields with a pattern. */
const samples = [
  'secret',
  'http://127.0.0.1:4010',
  twilioSid,
  'https://api.datadoghq.com',
  'https://eu.docusign.net',
  'https://www.zohoapis.eu',
  'us6',
  '123',
]

/** Valid credentials for any built-in app, by default for its first scheme. */
function account({ app }: AppFunction, scheme: Scheme = app.schemes[0] as Scheme): Credentials {
  const others = scheme.type === 'oauth2' ? Object.keys(scheme.other_tokens ?? {}) : []
  const token = 'token_url' in scheme ? ['access_token', ...others].map((name) => [name, 'secret']) : []
  const fields = [...connectFields(app, scheme), ...app.accountSettings]
  return Object.fromEntries([...fields.map((field) => [field.name, sampleOf(app.name, field)]), ...token])
}

function sampleOf(app: string, { name, kind, pattern = '', default: usual }: CredentialField): string {
  const found = usual ?? samples.find((value) => new RegExp(pattern, 'u').test(value) && (kind !== 'url' || value.startsWith('http')))
  if (found === undefined) throw new Error(`add a sample for ${name} of ${app} accounts`)
  return found
}

const DESTRUCTIVE_VERB =
  /-(archive|ban|cancel|clear|deactivate|decline|delete|destroy|disable|disconnect|discard|end|erase|expire|kick|leave|purge|refund|remove|reset|revoke|rotate|stop|suspend|terminate|transfer|trash|uninstall|unpublish|void|wipe)(-|$)/

/** Functions that look destructive by their verb or method, with the reason why they are not. */
const UNDOABLE: Readonly<Record<string, string>> = {
  'linear-archive-issue': 'an archived issue can be restored',
  'mailchimp-archive-member': 'the member can be added again with all data',
  'monday-archive-item': 'an archived item can be restored',
  'slack-archive-channel': 'an archived channel can be opened again',
  'snowflake-suspend-warehouse': 'a suspended warehouse can be resumed',
  'trello-archive-card': 'an archived card can be brought back',
  'twitter-unlike-post': 'a post can be liked again',
}

/** The required arguments of a function. */
function argumentsOf(fn: AppFunction): Record<string, unknown> {
  if (fn.type === 'PASSTHROUGH') return { url: '/x' }
  const values = { string: 'x', number: 1, integer: 450, boolean: true, object: { a: 1 }, array: ['x'] }
  return Object.fromEntries(fn.parameters.required.map((name) => [name, values[fn.parameters.properties[name]?.type ?? 'string']]))
}

function filesOf(fn: AppFunction) {
  return Object.fromEntries(fn.files.map((name) => [name, { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('a') }]))
}

describe('the built-in apps', () => {
  it('are complete', () => {
    expect(catalog.apps.map((app) => app.name)).toEqual(NAMES)
  })

  it('have parameters that compile in strict mode, each with one type and a description', () => {
    const ajv = new Ajv({ strict: true, allErrors: true })
    formats.default(ajv)
    for (const fn of catalog.functions) {
      expect(() => ajv.compile(fn.parameters)).not.toThrow()
      for (const schema of Object.values(fn.parameters.properties)) {
        expect([typeof schema.type, schema.description.length > 5]).toEqual(['string', true])
      }
    }
  })

  it('have existing sources, and titles and examples that are unique to a function', () => {
    for (const fn of catalog.functions) {
      for (const source of Object.values(fn.sources)) expect(catalog.fn(source.function)?.type).toBe('QUERY')
    }
    for (const app of catalog.apps) {
      const texts = app.functions.flatMap((fn) => [fn.title, fn.description, ...fn.examples])
      expect(new Set(texts).size).toBe(texts.length)
    }
  })

  it('declare what each source and each identity returns, with the values that are used of it', () => {
    const used = catalog.functions.flatMap((fn) => Object.values(fn.sources)).map((source) => [source.function, source.value, source.label])
    const ofItems = used.map(([name = '', ...pointers]) => [name, need(name).output?.items, pointers] as const)
    const identities = catalog.apps.flatMap(({ identity }) => (identity === null ? [] : [identity]))
    const ofOwners = identities.map(
      ({ function: name, name: title, id = title }) => [name, need(name).output ?? undefined, [title, id]] as const,
    )
    const lacking = [...ofItems, ...ofOwners].filter(([, shape, pointers]) => !pointers.every((pointer) => hasPart(shape, pointer)))
    expect(lacking.map(([name, , pointers]) => [name, ...pointers])).toEqual([])
  })

  it('say where a person finds each secret that the page to connect asks for', () => {
    const unexplained = catalog.apps.flatMap((app) => {
      // The page offers no service accounts, and client credentials only if there is nothing else.
      const machine = app.schemes.length === 1 ? ['oauth2_jwt_bearer'] : ['oauth2_jwt_bearer', 'oauth2_client_credentials']
      const offered = app.schemes.filter(({ type }) => !machine.includes(type))
      const secrets = offered.flatMap((scheme) => connectFields(app, scheme)).filter(({ secret }) => secret)
      const lacking = secrets.filter(({ help }) => help === undefined).map(({ name }) => `${app.name}: help.${name}`)
      const linked = secrets.length === 0 || app.help_url !== '' || app.name === 'addressbook'
      return linked ? lacking : [...lacking, `${app.name}: help_url`]
    })
    expect(unexplained).toEqual([])
  })

  it('say when each version in a header ends, how an application gets its OAuth client, and all that a sign-in asks for', async () => {
    expect(await lintFiles(folders, new Date())).toMatchObject({ unhelped: [], unended: [], hidden: [], shapeless: [] })
  })

  it('say how an application gets its OAuth client, in sentences of at most 25 words', () => {
    const helps = catalog.apps.flatMap(({ schemes }) => schemes.flatMap((scheme) => ('client_help' in scheme ? [scheme.client_help] : [])))
    expect(helps.length).toBeGreaterThan(30)
    const sentences = helps.flatMap((help) => [...(help?.steps ?? []), help?.review ?? '']).flatMap((text) => text.split(/(?<=\.) /))
    expect(sentences.filter((sentence) => sentence.split(' ').length > 25)).toEqual([])
    // The redirect URL goes somewhere at every vendor.
    expect(helps.filter((help) => !help?.steps.some((step) => step.includes('redirect URL')))).toEqual([])
  })

  it('have a logo without scripts or links, unless the icon packages have none', async () => {
    const icons = join(folders[0] as string, 'icons')
    const named = NAMES.filter((name) => !WITHOUT_LOGO.has(name))
    expect((await readdir(icons)).sort()).toEqual(named.map((name) => `${name}.svg`))
    for (const name of named) {
      const svg = await readFile(join(icons, `${name}.svg`), 'utf8')
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="/)
      expect([name, /<script|<style|<image|\son\w+=|href="(?!#)/.test(svg)]).toEqual([name, false])
    }
  })

  it('build a request from only the required arguments with each scheme', () => {
    for (const fn of catalog.functions) {
      for (const scheme of fn.app.schemes) {
        const credentials = account(fn, scheme)
        expect(checkCredentials(fn.app, credentials)).toEqual([])
        const request = build(fn, argumentsOf(fn), credentials, null, filesOf(fn))
        expect(request.url).toMatch(/^https?:\/\/[^{}]+$/)
        const signed = scheme.type === 'basic' ? 'Basic ' : scheme.type === 'none' ? '' : 'secret'
        expect(`${request.url} ${Object.values(request.headers)}`).toContain(signed)
      }
    }
  })

  it.each<[string, object, string, object]>([
    ['slack-post-message', { channel: 'C1', text: 'hi' }, 'POST https://slack.com/api/chat.postMessage', { channel: 'C1', text: 'hi' }],
    ['github-create-issue', { owner: 'a', repo: 'b', title: 't' }, 'POST https://api.github.com/repos/a/b/issues', { title: 't' }],
    [
      'hubspot-create-contact',
      { email: 'a@b.c', first_name: 'A' },
      'POST https://api.hubapi.com/crm/objects/2026-09/contacts',
      { properties: { email: 'a@b.c', firstname: 'A' } },
    ],
    [
      'notion-search',
      { kind: 'page' },
      'POST https://api.notion.com/v1/search',
      { filter: { property: 'object', value: 'page' }, page_size: 100 },
    ],
    [
      'sendgrid-send-email',
      { to: [{ email: 'a@b.c' }], from_email: 'd@e.f', subject: 's', text: 't' },
      'POST https://api.sendgrid.com/v3/mail/send',
      {
        personalizations: [{ to: [{ email: 'a@b.c' }] }],
        from: { email: 'd@e.f' },
        subject: 's',
        content: [{ type: 'text/plain', value: 't' }],
      },
    ],
  ])('send for %s with %j the expected request', (name, args, line, body) => {
    const fn = need(name)
    const request = build(fn, { ...args }, account(fn))
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(JSON.parse(String(request.body))).toEqual(body)
  })

  it('send the API versions that vendors require', () => {
    const headersOf = (name: string) => build(need(name), { url: '/x' }, account(need(name))).headers
    expect(headersOf('notion-passthrough-request')['notion-version']).toBe('2025-09-03')
    expect(headersOf('github-passthrough-request')).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    })
  })

  it('send forms to Stripe and Twilio', () => {
    const stripe = need('stripe-create-customer')
    expect(build(stripe, { name: 'Ada L', address: { city: 'Rome' } }, account(stripe)).body).toBe('name=Ada%20L&address%5Bcity%5D=Rome')
    const twilio = need('twilio-send-message')
    expect(build(twilio, { to: '+44', body: 'hi' }, account(twilio))).toEqual({
      method: 'POST',
      url: `https://api.twilio.com/2010-04-01/Accounts/${twilioSid}/Messages.json`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic c2VjcmV0OnNlY3JldA==' },
      body: 'To=%2B44&Body=hi',
    })
  })

  it('compile together with the example of the README', async () => {
    const readme = await readFile(join(__dirname, '../README.md'), 'utf8')
    const example = /```yaml\n([^`]*)```/.exec(readme)?.[1] ?? ''
    expect(compileApp(example, 'README.md').functions.map((fn) => fn.name)).toEqual([
      'helpdesk-add-comment',
      'helpdesk-get-current-user',
      'helpdesk-list-tickets',
      'helpdesk-passthrough-request',
    ])
  })

  it('mark the functions that destroy something', () => {
    const methodOf = (fn: AppFunction) => build(fn, argumentsOf(fn), account(fn), null, filesOf(fn)).method
    const changing = catalog.functions.filter((fn) => fn.type === 'ACTION' && !Object.hasOwn(UNDOABLE, fn.name))
    const suspects = changing.filter((fn) => methodOf(fn) === 'DELETE' || DESTRUCTIVE_VERB.test(fn.name))
    expect(suspects.filter((fn) => !fn.destructive).map((fn) => fn.name)).toEqual([])
    const others = catalog.functions.filter((fn) => fn.destructive && fn.type !== 'PASSTHROUGH' && !suspects.includes(fn))
    expect(others.map((fn) => fn.name)).toEqual([
      'bigquery-run-statement',
      'snowflake-run-statement',
      'supabase-run-sql',
      'xero-update-invoice-status',
    ])
    for (const name of Object.keys(UNDOABLE)) expect([name, need(name).destructive]).toEqual([name, false])
  })

  it('page through the address book in all three styles', () => {
    const next = (name: string, body: object) => need(name).readResponse(200, body, null).cursor
    expect(next('addressbook-list-contacts', { contacts: [1], next_cursor: 'c' })).toBe('c')
    expect(next('addressbook-list-groups', { groups: [1], page: 1, total_pages: 3 })).toBe(2)
    expect(next('addressbook-export-contacts', { contacts: [1], next: { after_name: 'a', after_id: 1 } })).toEqual({
      after_name: 'a',
      after_id: 1,
    })
  })
})
