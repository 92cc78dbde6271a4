import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkAppFiles, loadSoundCatalog } from '../src/index.ts'
import { sampleText } from './sample-app.ts'

describe('loadSoundCatalog with files that were checked ahead', () => {
  let folder: string
  let checkedFile: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-'))
    checkedFile = join(folder, 'checked.json')
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  const write = async (name: string, more: object = {}) => await writeFile(join(folder, `${name}.yaml`), sampleText({ name, ...more }))
  const load = async () => await loadSoundCatalog([folder], checkedFile)

  /** Checks the files of the folder, changes the result, and stores it. */
  async function check(change = (json: string) => json): Promise<void> {
    await writeFile(checkedFile, change(JSON.stringify(await checkAppFiles(folder))))
  }

  it('does not parse a file that was checked', async () => {
    await write('one')
    await check((json) => json.replace('"title":"Sample"', '"title":"As checked"'))
    expect((await load()).app('one')?.title).toBe('As checked')
  })

  it('parses a file that changed since it was checked', async () => {
    await write('one')
    await check((json) => json.replace('"title":"Sample"', '"title":"As checked"'))
    await write('one', { description: 'A changed sample.' })
    await write('two')
    const catalog = await load()
    expect(catalog.apps.map(({ title, description }) => [title, description])).toEqual([
      ['Sample', 'A changed sample.'],
      ['Sample', 'A sample.'],
    ])
  })

  it('lists the rejected functions of a file that was not valid when it was checked', async () => {
    const bad = { title: 'Bad', description: 'Bad.', type: 'X', request: { method: 'GET', path: '/' } }
    await write('one', { functions: { good: { ...bad, type: 'QUERY' }, bad } })
    await check()
    const catalog = await load()
    expect(catalog.fn('one-good')?.title).toBe('Bad')
    expect(catalog.rejected).toEqual([{ app: 'one', function: 'one-bad', problems: [expect.stringMatching(/one\.yaml:\d+: /)] }])
  })

  it('loads all files when none was checked', async () => {
    await write('one')
    expect((await load()).apps.map(({ name }) => name)).toEqual(['one'])
  })
})

it('the built-in apps are the same from their files and from files that were checked ahead', async () => {
  const apps = 'packages/catalog/apps'
  const folder = await mkdtemp(join(tmpdir(), 'onward-'))
  try {
    const checkedFile = join(folder, 'checked.json')
    const checked = await checkAppFiles(apps)
    await writeFile(checkedFile, JSON.stringify(checked))
    const [fromFiles, ahead] = [await loadSoundCatalog([apps]), await loadSoundCatalog([apps], checkedFile)]
    expect(Object.keys(checked)).toHaveLength(fromFiles.apps.length)
    // Functions refer back to their app.
    const dataOf = ({ functions }: typeof ahead) => functions.map(({ app: { functions: _, ...app }, ...fn }) => JSON.stringify({ app, fn }))
    expect(dataOf(ahead)).toEqual(dataOf(fromFiles))
  } finally {
    await rm(folder, { recursive: true })
  }
})
