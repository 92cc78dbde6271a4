import { loadCatalog, readPhrasings } from '../src/index.ts'

const APPS = 'packages/catalog/apps'
const FOLDERS = [APPS, 'packages/dev-env/apps']

describe('the phrasings of the built-in apps', () => {
  it('has at least six phrasings for each function but passthroughs, and for no other function', async () => {
    const [{ functions: all }, { functions: typed }] = await Promise.all([loadCatalog(FOLDERS), readPhrasings(FOLDERS)])
    const wanted = all.filter(({ type }) => type !== 'PASSTHROUGH').map(({ name }) => name)
    expect(new Set(typed.keys())).toEqual(new Set(wanted))
    for (const [name, phrasings] of typed) expect([name, new Set(phrasings).size >= 6]).toEqual([name, true])
  })

  it('has at least five prompts for each app that none of its functions serves', async () => {
    const [{ apps }, { cannot }] = await Promise.all([loadCatalog(FOLDERS), readPhrasings(FOLDERS)])
    expect(new Set(cannot.keys())).toEqual(new Set(apps.map(({ name }) => name)))
    for (const [app, prompts] of cannot) expect([app, new Set(prompts).size >= 5]).toEqual([app, true])
  })

  it('may be missing from a folder of app files', async () => {
    expect((await readPhrasings(['services/functions/test/apps'])).functions.size).toBe(0)
  })
})
