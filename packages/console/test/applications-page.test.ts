import { readFile } from 'node:fs/promises'
import { newEnding, suggestAppKey } from '../src/pages/applications/app-key.ts'
import { BROWSER_CODE, serverCode } from '../src/pages/applications/embed-code.ts'
import { linesOf } from '../src/pages/applications/lines.ts'

describe('the suggested App-Key of an application', () => {
  it('has the words of the name, without what the service refuses', () => {
    expect(suggestAppKey('Acme CRM', 'x7k2')).toBe('acme-crm-x7k2')
    expect(suggestAppKey('  Café & Crème  ', 'x7k2')).toBe('cafe-creme-x7k2')
    expect(suggestAppKey('東京', 'x7k2')).toBe('app-x7k2')
    expect(suggestAppKey(' ', 'x7k2')).toBe('')
  })

  it('is never longer than the service accepts', () => {
    expect(suggestAppKey(`${'a'.repeat(39)} ${'b'.repeat(300)}`, newEnding())).toMatch(/^a{39}-[a-z2-9]{4}$/)
  })
})

describe('the lines of a list in a form', () => {
  it('are trimmed, and empty ones are left out', () => {
    expect(linesOf(' https://a.example.com \n\n\thttps://b.example.com')).toEqual(['https://a.example.com', 'https://b.example.com'])
    expect(linesOf('\n')).toEqual([])
  })
})

describe('the code to embed', () => {
  it('is that of the document, with the address and the App-Key of the application', async () => {
    const document = await readFile('services/insights/EMBED.md', 'utf8')
    const code = serverCode('https://onward.example.com', 'ak-1')
    const names = "const ONWARD_URL = 'https://onward.example.com'\nconst APP_KEY = 'ak-1'\n\n"
    expect(code.startsWith(names)).toBe(true)
    expect(document).toContain(code.slice(names.length))
    expect(document).toContain(BROWSER_CODE)
  })
})
