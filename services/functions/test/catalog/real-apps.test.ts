import { readFile } from 'node:fs/promises'
import { type Catalog, loadCatalog } from '@onward/catalog'

let page: string
let catalog: Catalog

beforeAll(async () => {
  page = (await readFile('services/functions/REAL-APPS.md', 'utf8')).replaceAll(/\s+/g, ' ')
  catalog = await loadCatalog(['packages/catalog/apps'])
})

describe('services/functions/REAL-APPS.md', () => {
  it.each([
    ['Slack', 'slack', 'slack-get-current-user'],
    ['Google', 'gmail', 'gmail-get-profile'],
    ['GitHub', 'github', 'github-get-current-user'],
    ['HubSpot', 'hubspot', 'hubspot-get-account'],
  ])('says of %s what the app file says', (title, name, first) => {
    const section = page.split(/ ## /).find((each) => each.startsWith(`${title} `)) ?? ''
    const help = catalog.app(name)?.schemes.flatMap((scheme) => (scheme.type === 'oauth2' ? [scheme.client_help] : []))[0]
    const steps = (help?.steps ?? []).map((step, at) => `${at + 1}. ${step}`).join(' ')
    expect(section).toContain(`(${help?.url}). ${steps} **Others.** ${help?.review} ([source](${help?.source}))`)
    expect(section).toContain(`The first call is \`${first}\`.`)
    expect(catalog.fn(first)?.type).toBe('QUERY')
  })
})
