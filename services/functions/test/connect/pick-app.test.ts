import { openBrowser, useShelf } from '../support/connecting.ts'
import { unescapeHtml } from '../support/unescape-html.ts'

const { onward } = useShelf()

/** Opens the page of all apps as a user, and returns the titles on it in their order. */
async function appsOf(userId: string, search = ''): Promise<string[]> {
  const { body } = await onward.user(userId).post('/connect/session', { pick: true }).expect(200)
  const { text } = await openBrowser().open(`${body.url}${search}`)
  return [...text.matchAll(/<span>([^<]*)<\/span>(<small>)?/g)].map(([, title = '', connected]) =>
    connected === undefined ? unescapeHtml(title) : `${unescapeHtml(title)}, connected`,
  )
}

describe('the page of all apps', () => {
  it("lists the user's own apps first, then those that users of the application connect most, then the others by name", async () => {
    const alphabetical = await appsOf('first')
    expect(alphabetical).toEqual([...alphabetical].sort((a, b) => a.localeCompare(b)))
    expect(alphabetical).toEqual(expect.arrayContaining(['Crm', 'Desk', 'Phone', 'Vault']))
    for (const user of ['first', 'second']) await onward.user(user).connect('phone')
    await onward.user('second').connect('desk')
    const rest = alphabetical.filter((title) => !['Phone', 'Desk'].includes(title))
    expect(await appsOf('third')).toEqual(['Phone', 'Desk', ...rest])
    await onward.user('third').connect('crm')
    expect(await appsOf('third')).toEqual(['Crm, connected', 'Phone', 'Desk', ...rest.filter((title) => title !== 'Crm')])
  })

  it('searches names and descriptions', async () => {
    expect(await appsOf('searcher', '?q=shelf')).toEqual(['Shelf & Sons'])
    expect(await appsOf('searcher', '?q=Library')).toEqual(['Shelf & Sons'])
    expect(await appsOf('searcher', '?q=nothing+like+it')).toEqual([])
  })
})
